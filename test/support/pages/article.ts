/** A newspaper page: an article with navigation, a cookie banner, a sidebar and a footer. */
const sentence =
  'The council met on Tuesday to discuss the new bridge, which will cost four million and open in spring, and decided to build it. ';

export const newspaper = `<!doctype html><html lang="en"><head><title>The bridge is built</title><meta name="author" content="Ada Writer">
<style>body{background:#ff0000;font-family:monospace}.story{color:#00f}nav{height:60px}</style></head><body>
<nav class="menu"><a href="/a">Sports</a> <a href="/b">Weather</a></nav>
<div class="cookie-banner">Accept cookies</div>
<div class="page"><div class="story"><h1>The bridge is built</h1>
${Array.from({ length: 6 }, (_, n) => `<p>Paragraph${n} ${sentence.repeat(3)}</p>`).join('\n')}
<figure><img alt="" width="40" height="40" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><rect width='40' height='40' fill='%2300ff00'/></svg>"><figcaption>Captioned image</figcaption></figure>
<p>Ending with a <a href="https://example.com/more">reference</a>, ${sentence}</p></div>
<div class="sidebar"><a href="/x">Advertisement one</a><a href="/y">Advertisement two</a></div></div>
<footer>Imprint</footer></body></html>`;
