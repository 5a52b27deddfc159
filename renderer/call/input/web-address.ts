/** Validates a URL as the user enters it, and suggests a correction. Pure. */

export type AddressProblem = 'noScheme' | 'scheme' | 'blank' | 'broken';

/** Why a text is not a valid URL; undefined for a valid URL and for an empty text. */
export function problemWithAddress(text: string): AddressProblem | undefined {
  const address = text.trim();
  if (address === '') return undefined;
  if (/\s/.test(address)) return 'blank';
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return isOtherScheme(address) ? 'scheme' : 'noScheme';
  if (!/^https?:\/\//i.test(address)) return 'scheme';
  return URL.canParse(address) && new URL(address).hostname !== '' ? undefined : 'broken';
}

/** True for `mailto:` and `c:`, false for `localhost:8080` and `example.com:8080`, where a port follows the colon. */
function isOtherScheme(address: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(address) && !/^[a-z\d.-]+:\d/i.test(address);
}

/** Adds the missing scheme: https, or http for this machine. */
export function withScheme(text: string): string {
  const address = text.trim();
  return /^(localhost|127\.|\[::1\])/i.test(address) ? `http://${address}` : `https://${address}`;
}

const maxRecent = 8;

/** Newest first, without duplicates. */
export function withRecent(before: readonly string[], address: string): string[] {
  return [address, ...before.filter((known) => known !== address)].slice(0, maxRecent);
}
