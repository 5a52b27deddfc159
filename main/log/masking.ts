/** Keeps credentials out of logs. */
import { mask, withoutQuotedUserInfo, withoutUserInfo } from '../fields/masked.ts';

/** A shorter secret would be found in half of all texts. */
const shortestSecret = 4;

/** Names of query fields that hold a secret more often than not. */
const secretField =
  /([?&;](?:[\w.-]*(?:pass(?:word|wd)?|pwd|secret|token|signature|credential|api[-_]?key|access[-_]?key|auth(?:key)?)|sig|key|jwt|sid|session(?:[-_]?id)?))=[^&#;\s]*/gi;

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

/** A text in which none of these values stands. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (masked, secret) => (secret.length < shortestSecret ? masked : masked.replaceAll(secret, mask)),
    text,
  );
}
