/** Keeps credentials out of logs. */
import { mask, withoutQuotedUserInfo, withoutUserInfo } from '../fields/masked.ts';

/** Ends of names of query fields that hold a secret more often than not, and whole names. */
const secretEnds =
  'passw(?:or)?d|passcode|passphrase|pwd|secret|token|signature|credential|api[-_]?key|access[-_]?key(?:[-_]?id)?|auth(?:key)?|sess(?:ion)?[-_]?id';
const secretNames = 'pass|sig|key|jwt|sid|session|hmac|ticket|bearer|otp';

/** In a query, in a path (`;jsessionid=`) and in a fragment, where servers hand out tokens (OAuth 2, implicit). */
const secretField = new RegExp(`([?&;#](?:[\\w.-]*(?:${secretEnds})|${secretNames}))=[^&#;?\\s]*`, 'gi');

/** An address without user, password and secret fields. */
export function withoutCredentials(url: string): string {
  return withoutUserInfo(url).replace(secretField, `$1=${mask}`);
}

/** `user:password@` as it stands in any text without a scheme; a slash would end it (RFC 3986, 3.2), and paths have an @ too. */
const beforeAt = /(?<![^\s'"/@])[^\s'"/@]*@(?=\S)/g;

/** A sentence, a stack or whatever, and the addresses that are quoted in it, without credentials. */
export function withoutQuotedCredentials(text: string): string {
  const withoutUsers = withoutQuotedUserInfo(text, `${mask}@`).replace(beforeAt, (found) =>
    found.includes(':') ? `${mask}@` : found,
  );
  return withoutUsers.replace(secretField, `$1=${mask}`);
}

/** The values that `withoutCredentials` masks in an address's query, for what else may say them. */
export function secretsInQuery(url: string): string[] {
  return [...url.matchAll(secretField)].map(([field, name = '']) => field.slice(name.length + 1));
}

/** Any value, each text in it changed; `name` is that of the field it stands in, or that its list stands in. */
export function inTexts<T>(value: T, change: (text: string, name: string) => string): T {
  return changed(value, '', { change, above: new Set() }) as T;
}

interface Change {
  readonly change: (text: string, name: string) => string;
  /** An error's own fields may lead back to it. */
  readonly above: Set<object>;
}

function changed(value: unknown, name: string, how: Change): unknown {
  if (typeof value === 'string') return how.change(value, name);
  if (typeof value !== 'object' || value === null) return value;
  if (how.above.has(value)) return '(see above)';
  how.above.add(value);
  const whole = Array.isArray(value)
    ? value.map((item) => changed(item, name, how))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, changed(item, key, how)]));
  how.above.delete(value);
  return whole;
}
