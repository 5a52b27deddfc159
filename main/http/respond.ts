/** The headers of answers. */
import type { Response } from 'express';
import type { Conversion } from '../convert.ts';
import type { Options } from '../job/options.ts';
import { contentDisposition } from './content-disposition.ts';
import { liftPagePolicy } from './page-headers.ts';

/** The part of a name after `x-service-`, and its value. */
export type ServiceHeaders = Readonly<Record<string, string | number | undefined>>;

/** Sets each header once for every prefix; undefined ones are left out. */
export function setServiceHeaders(
  response: Response,
  prefixes: readonly string[],
  headers: ServiceHeaders,
): void {
  for (const prefix of prefixes) {
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) response.set(`x-${prefix}-${name}`, String(value));
    }
  }
}

/** A conversion, and what was asked for. */
export interface Answer extends Conversion {
  readonly options: Options;
}

/** Writes the headers of the document or picture. */
export function setOutputHeaders(
  response: Response,
  prefixes: readonly string[],
  { output, receipt, options }: Answer,
): void {
  setServiceHeaders(response, prefixes, {
    'consumed-credits': receipt.consumed,
    'remaining-credits': receipt.remaining,
    'output-size': output.bytes.length,
    pages: output.pages?.printed,
    'total-pages': output.pages?.total,
  });
  liftPagePolicy(response);
  response.status(200).set({
    'content-type': output.contentType,
    'content-length': String(output.bytes.length),
    'content-disposition': contentDisposition(options),
  });
}
