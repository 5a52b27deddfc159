/**
 * Limits of the headers that a page or a server sends. Electron converts them one by one, and copies all earlier ones each time, so
 * its time grows with the square of their number: 36,000 response headers take almost a second of the main thread.
 */
import { Failure } from '../../failure/failure.ts';

type Headers = Readonly<Record<string, string | readonly string[]>>;

export interface HeadersSize {
  /** The number of names; one more than `maxNames` if there are more. */
  readonly names: number;
  /** Of the names and values. */
  readonly characters: number;
}

/** Of a request or response. A job with more is ended, because each of its requests would block the main thread. */
const maxNames = 1000;
/** Of a request. */
const maxRequestCharacters = 200_000;
/** A request or response with more is refused if its headers must be changed, which takes the most time. */
const changeableLimits: HeadersSize = { names: 200, characters: 32_000 };

export function sizeOfHeaders(headers: Headers): HeadersSize {
  let names = 0;
  let characters = 0;
  for (const name in headers) {
    if ((names += 1) > maxNames) break;
    const values = headers[name] ?? '';
    characters += name.length;
    if (typeof values === 'string') characters += values.length;
    else for (const value of values) characters += value.length;
  }
  return { names, characters };
}

/** Returns the failure of a job whose page sends such a request; undefined if it may be sent. */
export function refusedRequest({ names, characters }: HeadersSize): Failure | undefined {
  if (names <= maxNames && characters <= maxRequestCharacters) return undefined;
  const limits = `${maxNames.toLocaleString('en')} headers or ${maxRequestCharacters / 1000} kB of headers`;
  return new Failure('tooComplex', `The page sent a request with more than ${limits}.`);
}

/** Returns the failure of a job that gets such a response; undefined if the page may receive it. */
export function refusedResponse({ names }: HeadersSize): Failure | undefined {
  if (names <= maxNames) return undefined;
  const message = `A server sent the page a response with more than ${maxNames.toLocaleString('en')} headers.`;
  return new Failure('tooComplex', message);
}

export function canBeChanged({ names, characters }: HeadersSize): boolean {
  return names <= changeableLimits.names && characters <= changeableLimits.characters;
}
