/** The answer to a conversion: what its headers tell, and the document or picture itself. */
import { factHeaders, type ConversionFacts } from './generated/answers.ts';

export interface Conversion extends ConversionFacts {
  readonly contentType: string;
  /** The file name the service proposes: output_name, else document.pdf and the like. */
  readonly name: string;
  /**
   * The output as it arrives. Read it to its end, or cancel it: until then it keeps a connection. It is charged when its
   * last byte has been sent. One of `body`, `bytes` and `blob` can be used, once.
   */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly blob: () => Promise<Blob>;
}

export function readConversion(response: Response): Conversion {
  return {
    ...factsOf(response.headers),
    contentType: response.headers.get('content-type') ?? '',
    name: nameIn(response.headers.get('content-disposition') ?? ''),
    body: response.body ?? new Blob([]).stream(),
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
    blob: () => response.blob(),
  };
}

/** The facts that an answer has; one that failed has some. */
export function factsOf(headers: Headers): ConversionFacts {
  const facts = Object.entries(factHeaders).map(([name, [header, type]]) => {
    const value = headers.get(header) ?? undefined;
    return [name, value !== undefined && type === 'integer' ? Number(value) : value];
  });
  return Object.fromEntries(facts) as ConversionFacts;
}

/** RFC 6266, 4.1: the encoded form, which has all letters, beats the other. */
export function nameIn(disposition: string): string {
  const encoded = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const [, quoted, token] = /;\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? token ?? '';
}
