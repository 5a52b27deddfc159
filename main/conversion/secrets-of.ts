/** The values of a form that must stand in no log, whatever says them: the page, an address, a header, an error. */
import { userInfoOf } from '../fields/masked.ts';
import { table, type OptionRow } from '../job/options.ts';
import type { Form } from '../job/read-fields.ts';
import { secretsInQuery } from '../log/masking.ts';

/** The form may be wrong in any way. */
export function secretsOf(form: Pick<Form, 'fields'>): string[] {
  const values = form.fields.flatMap(({ name, value }) =>
    isSecret(name) ? [value, ...inside(name, value)] : insideAddress(name, value),
  );
  const login = ['http_auth_user_name', 'http_auth_password'].map((name) => valueOf(form, name)).join(':');
  const all = [...values, ...(login === ':' ? [] : [base64(login)])].map((value) => value.trim());
  const telling = all.filter((value) => !harmless.test(value));
  return [...new Set(telling.flatMap((value) => [value, encoded(value)]))];
}

/** Values of cookies that any text may have. */
const harmless = /^(true|false|null|none|undefined|)$/i;

function isSecret(name: string): boolean {
  const row: OptionRow | undefined = Object.hasOwn(table, name)
    ? table[name as keyof typeof table]
    : undefined;
  return row?.secret === true;
}

/** What a cookie's or a header's value says by itself; `Basic` and `Bearer` are no secret (RFC 9110, 11.4). */
function inside(name: string, value: string): string[] {
  if (name === 'cookies')
    return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).replace(/^\s*"|"\s*$/g, ''));
  if (name !== 'custom_http_header') return [];
  const said = value.slice(value.indexOf(':') + 1).trim();
  const token = said.slice(said.lastIndexOf(' ') + 1);
  const login = /^basic\s/i.test(said) ? Buffer.from(token, 'base64').toString('utf8') : '';
  return [said, token, login, login.slice(login.indexOf(':') + 1)];
}

/** Shorter ones are more often a word than a secret, and would be masked wherever the word stands. */
const shortestInQuery = 8;
const longestAddress = 4000;

/** What an address or a proxy holds: user and password (RFC 3986, 3.2.1) as written and as sent, and fields of the query. */
function insideAddress(name: string, value: string): string[] {
  // Half of a surrogate pair is no text.
  const written = value
    .slice(0, longestAddress)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
  const isAddress = /^[a-z][a-z\d+.-]*:\/\//i.test(written);
  if (!isAddress && !name.endsWith('_proxy') && !name.endsWith('url')) return [];
  const pair = userInfoOf(written);
  const password = pair.slice(pair.indexOf(':') + 1);
  const inQuery = secretsInQuery(written).filter(({ length }) => length >= shortestInQuery);
  const credentials = pair === '' ? [] : [pair, password, decoded(password), base64(decoded(pair))];
  return [...credentials, ...inQuery, ...inQuery.map(decoded)];
}

/** As it is sent: half of a surrogate pair becomes U+FFFD (Encoding, 4.1). */
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

function valueOf({ fields }: Pick<Form, 'fields'>, wanted: string): string {
  return fields.find(({ name }) => name === wanted)?.value ?? '';
}
