/** Parses addresses of callers and pages in linear time. */

/**
 * A host name has 253 characters in ASCII. Node's parser converts it to and from Punycode in quadratic time, and a page may navigate to an
 * address of 2 MB.
 */
const maxHostLength = 1000;

/** Parses an absolute address. Returns undefined for other texts, and if the host is longer than any host name. */
export function parsedUrl(text: string): URL | undefined {
  // The parser ignores line breaks and tabs, and more slashes than two.
  const authority = /^[^:/?#\\]*:[/\\\s]*([^/?#\\]*)/.exec(text)?.[1] ?? '';
  const hostLength = authority.length - authority.lastIndexOf('@') - 1;
  return hostLength <= maxHostLength && URL.canParse(text) ? new URL(text) : undefined;
}

/** Parses a complete http or https address. */
export function webAddressIn(text: string): URL | undefined {
  return /^\s*https?:\/\//i.test(text) ? parsedUrl(text) : undefined;
}
