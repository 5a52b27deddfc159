/** A page that requests files in every way without navigating away, and then reports the results. */

/** Returns the page. `addressOf` returns the URL for a file name. The text of the page ends with the results and `tried`. */
export function everyWay(addressOf: (name: string) => string): string {
  const names = ['x.html', 'x.txt', 'x.css', 'x.js', 'x.svg', 'x.xml'];
  const addresses = Object.fromEntries(names.map((name) => [name, addressOf(name)]));
  return `<script>const at = ${JSON.stringify(addresses).replaceAll('<', '\\u003c')};${program}</script>`;
}

/**
 * The script of the page. It does not wait for frames, which report no failures. It is a string, because the compiler would add
 * code to a function.
 */
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
