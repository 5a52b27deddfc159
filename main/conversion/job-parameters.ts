/** Extracts from a form what the job record stores: the options as given, without secrets and contents. */
import type { JobData } from '../accounts/ledger/ledger.ts';
import { table, type OptionName, type OptionRow } from '../job/options.ts';
import type { RawValue } from '../job/job.ts';
import { optionNamed, type Form } from '../job/read-fields.ts';
import { shownValues } from './job-log.ts';
import { userInfoOf, secretsInQuery, minSecretLength, tooManyValues } from '../log/masking.ts';

/** Returns the data of a form, valid or not, for the job record. `masked` returns a string with the secrets masked. */
export function factsOfForm(
  form: Form,
  masked: (text: string) => string,
): Pick<JobData, 'input' | 'input_bytes' | 'output_format' | 'parameters'> {
  const options = givenOptions(form);
  return {
    ...inputOf(options),
    output_format: outputFormatOf(options),
    parameters: JSON.stringify(shortened(parametersOf(form, masked))),
  };
}

/** In a valid form, no option has more values than the form has files. */
const maxValues = 20;

/** Returns the given options by name, each with its first values. Omits unknown names, because the value may be a secret under a misspelt name. */
export function parametersOf(form: Form, masked: (text: string) => string): Parameters {
  const shown = [...givenOptions(form)].map(([name, values]) => [
    name,
    masked(shownValues(table[name], values.slice(0, maxValues))),
  ]);
  return Object.fromEntries(shown) as Parameters;
}

type Parameters = Readonly<Partial<Record<OptionName, string>>>;

/** Maximum size of the JSON, because the record contains many thousands of jobs. */
const maxBytes = 16_000;

/** Shortens the longest values until the JSON fits. */
function shortened(parameters: Parameters): Parameters {
  const maxLength = Math.max(0, ...Object.values(parameters).map(({ length }) => length));
  let cutLength = maxLength;
  let result = parameters;
  while (cutLength > 0 && Buffer.byteLength(JSON.stringify(result)) > maxBytes) {
    cutLength = Math.floor(cutLength * 0.8);
    result = truncated(parameters, cutLength);
  }
  return result;
}

function truncated(parameters: Parameters, maxLength: number): Parameters {
  const cut = Object.entries(parameters).map(([name, value]) => [
    name,
    value.length > maxLength ? `${value.slice(0, maxLength)}...` : value,
  ]);
  return Object.fromEntries(cut) as Parameters;
}

type GivenOptions = ReadonlyMap<OptionName, readonly RawValue[]>;

/** Returns the values of each option, in the order of the form: several only for options that are repeated. */
function givenOptions({ fields, files }: Form): GivenOptions {
  const written = [...fields, ...files.map(({ name, upload }) => ({ name, value: upload }))];
  const given = new Map<OptionName, RawValue[]>();
  for (const { name, value } of written) {
    const option = optionNamed(name);
    if (option === undefined || value === '') continue;
    const { isRepeatable = false }: OptionRow = table[option];
    const earlier = isRepeatable ? given.get(option) : undefined;
    if (earlier === undefined) given.set(option, [value]);
    else earlier.push(value);
  }
  return given;
}

/** Returns the kind and the size of the input. Uses the same precedence as `readJob`: file, then url, then text. */
function inputOf(options: GivenOptions): Pick<JobData, 'input' | 'input_bytes'> {
  const [file] = options.get('file') ?? [];
  const [text] = options.get('text') ?? [];
  if (typeof file === 'object') return { input: 'file', input_bytes: file.size };
  if (options.has('url')) return { input: 'url', input_bytes: null };
  if (text === undefined) return { input: null, input_bytes: null };
  return { input: 'text', input_bytes: typeof text === 'string' ? Buffer.byteLength(text) : text.size };
}

/** Returns the output format, or null if it is unknown. */
function outputFormatOf(options: GivenOptions): string | null {
  const { kind, default: defaultFormat } = table.output_format;
  const [written] = options.get('output_format') ?? [];
  if (written === undefined) return defaultFormat;
  return (typeof written === 'string' ? kind.read(written) : undefined) ?? null;
}

// Finds the secrets in a form. No log may contain them, even if a page, an address, a header or an error message repeats them.

/**
 * Returns the secrets in a form, both as sent and URL-encoded. The form may be invalid. If there are more than logs can search for
 * (`tooManyValues`), returns only the first ones; then all texts are masked.
 */
export function secretsOf(form: Pick<Form, 'fields'>): string[] {
  const secrets = new Set<string>();
  for (const written of writtenSecrets(form)) {
    const secret = written.trim();
    if (secret.length < minSecretLength || commonValue.test(secret)) continue;
    secrets.add(secret).add(encoded(secret));
    if (secrets.size >= tooManyValues) break;
  }
  return [...secrets];
}

function* writtenSecrets(form: Pick<Form, 'fields'>): Generator<string> {
  const login = ['http_auth_user_name', 'http_auth_password'].map((name) => valueOf(form, name)).join(':');
  if (login !== ':') yield base64(login);
  for (const { name, value } of form.fields)
    if (isSecret(name)) {
      yield value;
      yield* secretsInValue(name, value);
    } else yield* secretsInAddress(name, value);
}

/** Values, for example of cookies, that are too common in text to be masked. */
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

/** Shorter values of query fields are more often words than secrets. Masking them would hide these words everywhere. */
const minQuerySecretLength = 8;
const maxAddressLength = 4000;

/** Returns the user and password in an address or a proxy (RFC 3986, 3.2.1), as written and as sent, and secret query fields. */
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

/** Returns the text URL-encoded, as Chromium sends it. Half of a surrogate pair becomes U+FFFD (Encoding, 4.1). */
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
