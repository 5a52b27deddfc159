/** A page that requests URLs in every way that does not leave the page, and then reports the results. */

/** `addressOf` returns the URL for a file name. The text of the page ends with `tried` and the result of each way. */
export function everyWay(addressOf: (name: string) => string): string {
  const names = ['x.html', 'x.txt', 'x.css', 'x.js', 'x.svg', 'x.xml'];
  const addresses = Object.fromEntries(names.map((name) => [name, addressOf(name)]));
  return `<script>const at = ${JSON.stringify(addresses).replaceAll('<', '\\u003c')};${program}</script>`;
}

/** Runs in the page. Frames report no failure, so the script does not wait for them. A string, because a compiler would add code. */
const program = `
  const made = (tag, attributes) => new Promise((resolve) => {
    const element = document.createElement(tag);
    element.onload = () => resolve(tag + ':came');
    element.onerror = () => resolve(tag + ':failed');
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    document.body.append(element);
  });
  const whole = (address) => { try { return new URL(address, document.baseURI).href } catch { return 'none:' } };
  made('iframe', { src: at['x.html'] });
  made('object', { data: at['x.html'] });
  made('embed', { src: at['x.xml'] });
  try { open(at['x.html']) } catch {}
  const came = async (response) => 'fetch:' + response.status + ' ' + await response.text();
  Promise.all([
    made('img', { src: at['x.svg'] }),
    // A link with an invalid URL fires no event.
    whole(at['x.css']) === 'none:' ? 'link:failed' : made('link', { rel: 'stylesheet', href: at['x.css'] }),
    made('script', { src: at['x.js'] }),
    import(whole(at['x.js'])).then(() => 'import:came', () => 'import:failed'),
    fetch(at['x.txt']).then(came, () => 'fetch:failed'),
  ]).then((results) => {
    document.body.append(' ' + results.join(' ') + ' ');
    document.body.insertAdjacentHTML('beforeend', '<p id="tried">tried');
  });
`;
