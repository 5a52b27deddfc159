/** The response to a conversion request: the metadata in its headers, and the PDF or image in its body. */
import { factHeaders, type ConversionFacts } from './generated/answers.ts';

export interface Conversion extends ConversionFacts {
  readonly contentType: string;
  /**
   * The file name in Content-Disposition: the value of output_name, or a default such as document.pdf. Empty if the header has
   * none.
   */
  readonly name: string;
  /**
   * The output as a stream. It keeps a connection open until you read it to its end or cancel it. The service charges the
   * conversion when it has sent the last byte. Use only one of `body`, `bytes` and `blob`, and only once.
   */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly blob: () => Promise<Blob>;
}

export function readConversion(response: Response): Conversion {
  return {
    ...headerValuesOf(response.headers),
    contentType: response.headers.get('content-type') ?? '',
    name: fileNameIn(response.headers.get('content-disposition') ?? ''),
    body: response.body ?? new Blob([]).stream(),
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
    blob: () => response.blob(),
  };
}

/** Returns the values of the response headers `x-service-*`. An error response has only some of these headers. */
export function headerValuesOf(headers: Headers): ConversionFacts {
  const facts = Object.entries(factHeaders).map(([name, [header, type]]) => {
    const value = headers.get(header) ?? undefined;
    return [name, value !== undefined && type === 'integer' ? Number(value) : value];
  });
  return Object.fromEntries(facts) as ConversionFacts;
}

/**
 * Returns the file name in a Content-Disposition header; empty if there is none. `filename*`, which supports all characters, takes
 * precedence (RFC 6266, 4.3).
 */
export function fileNameIn(disposition: string): string {
  const encoded = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  const decoded = encoded === undefined ? undefined : decode(encoded);
  if (decoded !== undefined) return decoded;
  const [, quoted, token] = /;\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? token ?? '';
}

/** Decodes percent-encoding. Returns undefined if the text is malformed. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
