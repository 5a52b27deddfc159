/** The Content-Disposition of an answer (RFC 6266): whether a browser saves it, and under which name. */
import { create } from 'content-disposition';
import type { Options } from '../job/options.ts';

type Naming = Pick<Options, 'content_disposition' | 'output_format' | 'output_name'>;

/** Such as `attachment; filename="Rechnung_10_.pdf"; filename*=UTF-8''Rechnung%2010%E2%82%AC.pdf`. */
export function contentDisposition(options: Naming): string {
  return dispositionOf(options.output_name ?? usualName(options.output_format), options.content_disposition);
}

/** Of a file of any name. */
export function dispositionOf(name: string, type: Options['content_disposition']): string {
  const header = create(name, { type, fallback: asciiName(name) });
  // Quotes may be left out around some names, but many a program looks for them.
  return header.replace(/; filename=([^";]+)/, '; filename="$1"');
}

function usualName(format: Options['output_format']): string {
  return format === 'pdf' ? 'document.pdf' : `image.${format}`;
}

/** For clients that do not read filename*; some of them take quotes and percent signs amiss (RFC 6266, appendix D). */
function asciiName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["/\\]|%(?=[\da-f]{2})/giu, '_');
}
