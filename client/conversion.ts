/** The response to a conversion: the facts in its headers, and the document or image. */
import { factHeaders, type ConversionFacts } from './generated/answers.ts';

export interface Conversion extends ConversionFacts {
  readonly contentType: string;
  /** The file name that the service suggests: output_name, or else document.pdf and the like. */
  readonly name: string;
  /**
   * The output as a stream. Read it to its end or cancel it; until then it keeps a connection open. The service charges the
   * conversion when the last byte has been sent. Use one of `body`, `bytes` and `blob`, once.
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

/** Reads the facts from the headers. An error response has only some of them. */
export function factsOf(headers: Headers): ConversionFacts {
  const facts = Object.entries(factHeaders).map(([name, [header, type]]) => {
    const value = headers.get(header) ?? undefined;
    return [name, value !== undefined && type === 'integer' ? Number(value) : value];
  });
  return Object.fromEntries(facts) as ConversionFacts;
}

/** The file name of a Content-Disposition header. `filename*`, which supports all characters, takes precedence (RFC 6266, 4.1). */
export function nameIn(disposition: string): string {
  const encoded = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const [, quoted, token] = /;\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? token ?? '';
}
