/** Chooses the file name of the output: the one in the request, or one derived from the input. */
import { fileName } from './option-kinds.ts';
import type { Input, Job } from './job.ts';

/** Returns a name that is safe on every system, with the extension of the format; `document` if the input has no name. */
export function outputName({ input, options }: Pick<Job, 'input' | 'options'>): string {
  const { output_name: requested, output_format: format } = options;
  return requested ?? fileName.read(`${safeStem(inputStem(input))}.${format}`) ?? `document.${format}`;
}

function inputStem(input: Input): string {
  if (input.kind === 'file') return input.upload.name.replace(inputExtension, '');
  return input.kind === 'url' ? addressStem(input.url) : '';
}

/** File extensions of inputs. Other text after a dot is part of the name, as in `Rechnung 1.5`. */
const inputExtension =
  /(\.(html?|xhtml|mht(ml)?|svg|txt|tar))?\.(html?|xhtml|xht|svgz?|txt|md|zip|tar|t?gz|t?bz2)$/i;
const pageExtension = /\.(html?|xhtml|php\d?|aspx?|jspx?|do|cgi|svg|txt)$/i;
const startPage = /^(index|default|home)?$/i;

/** Returns the last part of the path without its extension, or the host name for a start page. */
function addressStem({ pathname, hostname }: URL): string {
  const last = pathname.split('/').findLast((segment) => segment !== '') ?? '';
  const stem = decodeSegment(last).replace(pageExtension, '');
  return startPage.test(stem) ? hostname.replace(/^www\./, '').replace(/^\[|\]$/g, '') : stem;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Replaces characters that Windows forbids in file names with `_`, and a device name or an empty name with `document`. */
function safeStem(stem: string): string {
  const safe = stem.replace(/[<>:"|?*]/g, '_').replace(/(?<![. ])[. ]+$/, '');
  return safe === '' || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(safe) ? 'document' : safe;
}
