/** A page that goes to addresses in every way that leaves it standing, and then tells what came of it. */

/** Addresses by the name of the file that is wanted. The text of the page ends `tried`, with what each way came to. */
export function everyWay(addressOf: (name: string) => string): string {
  const names = ['x.html', 'x.txt', 'x.css', 'x.js', 'x.svg', 'x.xml'];
  const addresses = Object.fromEntries(names.map((name) => [name, addressOf(name)]));
  return `<script>const at = ${JSON.stringify(addresses).replaceAll('<', '\\u003c')};${program}</script>`;
}

/** Runs in the page. Frames tell nothing of a failure, so they are not waited for. Text, because a compiler would add to it. */
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
    // Of a link to what is no address nothing is ever heard.
    whole(at['x.css']) === 'none:' ? 'link:failed' : made('link', { rel: 'stylesheet', href: at['x.css'] }),
    made('script', { src: at['x.js'] }),
    import(whole(at['x.js'])).then(() => 'import:came', () => 'import:failed'),
    fetch(at['x.txt']).then(came, () => 'fetch:failed'),
  ]).then((results) => {
    document.body.append(' ' + results.join(' ') + ' ');
    document.body.insertAdjacentHTML('beforeend', '<p id="tried">tried');
  });
`;
