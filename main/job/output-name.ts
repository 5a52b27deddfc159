/** Chooses the file name of the output: the one in the request, or one derived from the input. */
import { fileName } from './name-kinds.ts';
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

/** Extensions of inputs. Anything else after a dot is part of the name, as in `Rechnung 1.5`. */
const inputExtension =
  /(\.(html?|xhtml|mht(ml)?|svg|txt|tar))?\.(html?|xhtml|xht|svgz?|txt|md|zip|tar|t?gz|t?bz2)$/i;
const pageExtension = /\.(html?|xhtml|php\d?|aspx?|jspx?|do|cgi|svg|txt)$/i;
const startPage = /^(index|default|home)?$/i;

/** Returns the name of the page; for a start page, the host name. */
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

/** Replaces the characters and device names that Windows forbids in file names. */
function safeStem(stem: string): string {
  const safe = stem.replace(/[<>:"|?*]/g, '_').replace(/[. ]+$/, '');
  return safe === '' || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(safe) ? 'document' : safe;
}
