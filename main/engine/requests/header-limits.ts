/**
 * Limits of the headers that a page or a server sends. Electron converts them one by one, and copies all earlier ones each time, so
 * its time grows with the square of their number: 36,000 response headers take almost a second of the main thread.
 */
import { Failure } from '../../failure/failure.ts';

type Headers = Readonly<Record<string, string | readonly string[]>>;

export interface HeadersSize {
  /** The number of values; a name may have many. Above `maxValues`, not all are counted. */
  readonly values: number;
  /** Of the names and values. */
  readonly characters: number;
}

/** Of a request or response. A job with more is ended, because each of its requests would block the main thread. */
const maxValues = 1000;
/** Of a request. */
const maxRequestCharacters = 200_000;
/** A request or response with more is refused if its headers must be changed, which takes the most time. */
const changeableLimits: HeadersSize = { values: 200, characters: 32_000 };

export function sizeOfHeaders(headers: Headers): HeadersSize {
  let values = 0;
  let characters = 0;
  for (const name in headers) {
    for (const value of [headers[name] ?? ''].flat()) {
      values += 1;
      characters += name.length + value.length;
    }
    if (values > maxValues) break;
  }
  return { values, characters };
}

/** Returns the failure of a job whose page sends such a request; undefined if it may be sent. */
export function refusedRequest({ values, characters }: HeadersSize): Failure | undefined {
  if (values <= maxValues && characters <= maxRequestCharacters) return undefined;
  const limits = `${maxValues.toLocaleString('en')} headers or ${maxRequestCharacters / 1000} kB of headers`;
  return new Failure('tooComplex', `The page sent a request with more than ${limits}.`);
}

/** Returns the failure of a job that gets such a response; undefined if the page may receive it. */
export function refusedResponse({ values }: HeadersSize): Failure | undefined {
  if (values <= maxValues) return undefined;
  const message = `A server sent the page a response with more than ${maxValues.toLocaleString('en')} headers.`;
  return new Failure('tooComplex', message);
}

export function canBeChanged({ values, characters }: HeadersSize): boolean {
  return values <= changeableLimits.values && characters <= changeableLimits.characters;
}
