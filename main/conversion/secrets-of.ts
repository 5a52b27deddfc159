/** Finds the secrets in a form. No log may contain them, whether they come from the page, an address, a header or an error. */
import { userInfoOf } from '../fields/masked.ts';
import { table, type OptionRow } from '../job/options.ts';
import type { Form } from '../job/read-fields.ts';
import { secretsInQuery } from '../log/masking.ts';

/** Returns every secret of a form, also URL-encoded. The form may be invalid. */
export function secretsOf(form: Pick<Form, 'fields'>): string[] {
  const values = form.fields.flatMap(({ name, value }) =>
    isSecret(name) ? [value, ...secretsInValue(name, value)] : secretsInAddress(name, value),
  );
  const login = ['http_auth_user_name', 'http_auth_password'].map((name) => valueOf(form, name)).join(':');
  const all = [...values, ...(login === ':' ? [] : [base64(login)])].map((value) => value.trim());
  const secrets = all.filter((value) => !commonValue.test(value));
  return [...new Set(secrets.flatMap((value) => [value, encoded(value)]))];
}

/** Values of cookies that are too common in text to be masked. */
const commonValue = /^(true|false|null|none|undefined|)$/i;

function isSecret(name: string): boolean {
  const row: OptionRow | undefined = Object.hasOwn(table, name)
    ? table[name as keyof typeof table]
    : undefined;
  return row?.secret === true;
}

/** Returns the secret parts of cookies or a header. `Basic` and `Bearer` themselves are not secret (RFC 9110, 11.4). */
function secretsInValue(name: string, value: string): string[] {
  if (name === 'cookies')
    return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).replace(/^\s*"|"\s*$/g, ''));
  if (name !== 'custom_http_header') return [];
  const content = value.slice(value.indexOf(':') + 1).trim();
  const token = content.slice(content.lastIndexOf(' ') + 1);
  const login = /^basic\s/i.test(content) ? Buffer.from(token, 'base64').toString('utf8') : '';
  return [content, token, login, login.slice(login.indexOf(':') + 1)];
}

/** Shorter values are more often a word than a secret, and masking them would hide that word everywhere. */
const minQuerySecretLength = 8;
const maxAddressLength = 4000;

/** Returns the user and password of an address or a proxy (RFC 3986, 3.2.1), as written and as sent, and secret query fields. */
function secretsInAddress(name: string, value: string): string[] {
  // The cut may split a surrogate pair, and half a pair is not valid text.
  const written = value
    .slice(0, maxAddressLength)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
  const isAddress = /^[a-z][a-z\d+.-]*:\/\//i.test(written);
  if (!isAddress && !name.endsWith('_proxy') && !name.endsWith('url')) return [];
  const pair = userInfoOf(written);
  const password = pair.slice(pair.indexOf(':') + 1);
  const inQuery = secretsInQuery(written).filter(({ length }) => length >= minQuerySecretLength);
  const credentials = pair === '' ? [] : [pair, password, decoded(password), base64(decoded(pair))];
  return [...credentials, ...inQuery, ...inQuery.map(decoded)];
}

/** Returns the text as Chromium sends it. Half of a surrogate pair becomes U+FFFD (Encoding, 4.1). */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function valueOf({ fields }: Pick<Form, 'fields'>, option: string): string {
  return fields.find(({ name }) => name === option)?.value ?? '';
}
