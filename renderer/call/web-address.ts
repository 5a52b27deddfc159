/** An address as a person enters it: what is wrong with it, and what was probably meant. */

export type AddressProblem = 'noScheme' | 'scheme' | 'blank' | 'broken';

/** Undefined for one that can be sent, and for none at all. */
export function problemWithAddress(text: string): AddressProblem | undefined {
  const address = text.trim();
  if (address === '') return undefined;
  if (/\s/.test(address)) return 'blank';
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return isLocalPart(address) ? 'scheme' : 'noScheme';
  if (!/^https?:\/\//i.test(address)) return 'scheme';
  return URL.canParse(address) && new URL(address).hostname !== '' ? undefined : 'broken';
}

/** `localhost:8080` and `example.com:8080` have ports, `mailto:` and `c:` are schemes. */
function isLocalPart(address: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(address) && !/^[a-z\d.-]+:\d/i.test(address);
}

/** With the scheme it lacks: https, and http for this machine. */
export function withScheme(text: string): string {
  const address = text.trim();
  return /^(localhost|127\.|\[::1\])/i.test(address) ? `http://${address}` : `https://${address}`;
}

const most = 8;

/** The newest first, each once. */
export function withRecent(before: readonly string[], address: string): string[] {
  return [address, ...before.filter((known) => known !== address)].slice(0, most);
}
