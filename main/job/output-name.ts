/** A good name for the file a run has made: the caller's own, or one made of the name of what was converted. */
import { fileName } from './answer-kinds.ts';
import type { Input, Job } from './job.ts';

/** Harmless on every system, with the extension of its format; `document` when nothing better is known. */
export function outputName({ input, options }: Pick<Job, 'input' | 'options'>): string {
  const { output_name: wanted, output_format: format } = options;
  return wanted ?? fileName.read(`${soundStem(stemOf(input))}.${format}`) ?? `document.${format}`;
}

function stemOf(input: Input): string {
  if (input.kind === 'file') return input.upload.name.replace(ofInputs, '');
  return input.kind === 'url' ? stemOfAddress(input.url) : '';
}

/** Extensions of what is converted; whatever else follows a dot is part of the name: `Rechnung 1.5`. */
const ofInputs =
  /(\.(html?|xhtml|mht(ml)?|svg|txt|tar))?\.(html?|xhtml|xht|svgz?|txt|md|zip|tar|t?gz|t?bz2)$/i;
const ofPages = /\.(html?|xhtml|php\d?|aspx?|jspx?|do|cgi|svg|txt)$/i;
const ofStarts = /^(index|default|home)?$/i;

/** The page's own name, or that of the site for its start. */
function stemOfAddress({ pathname, hostname }: URL): string {
  const last = pathname.split('/').findLast((segment) => segment !== '') ?? '';
  const stem = decoded(last).replace(ofPages, '');
  return ofStarts.test(stem) ? hostname.replace(/^www\./, '').replace(/^\[|\]$/g, '') : stem;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** What Windows takes in no name, and its names of devices. */
function soundStem(stem: string): string {
  const sound = stem.replace(/[<>:"|?*]/g, '_').replace(/[. ]+$/, '');
  return sound === '' || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(sound) ? 'document' : sound;
}
