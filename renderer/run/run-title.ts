/** Short titles of runs, taken from the HTML or the URL. */

/** Returns the title of the document, or else its first heading; undefined if it has neither. */
export function titleOfHtml(html: string): string | undefined {
  const start = html.slice(0, 20_000);
  const found =
    /<title[^<>]*>([^<]+)/i.exec(start)?.[1] ?? /<h[1-3][^<>]*>\s*([^<\s][^<]*)/i.exec(start)?.[1];
  const title = found?.replace(/\s+/g, ' ').trim().slice(0, 80);
  return title === '' ? undefined : title;
}

/** Returns the URL without scheme and query, such as `example.com/invoice.html`. */
export function titleOfAddress(address: string): string {
  if (!URL.canParse(address)) return address.slice(0, 80);
  const { host, pathname } = new URL(address);
  return `${host}${pathname === '/' ? '' : pathname}`.slice(0, 80);
}
