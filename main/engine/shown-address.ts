/** How addresses are written in logs and answers: without credentials, and a job's own files by their path alone. */
import { withoutQuotedUserInfo } from '../fields/masked.ts';
import { withoutCredentials } from '../log/masking.ts';

/** Where a job's own documents are; each has a folder of a random name there (job-document.ts). */
export const ownOrigin = 'platen://job/';

/** An empty page of ours that runs scripts. */
export const blankPage = `${ownOrigin}blank`;

/** An empty page that documents are written into (written.ts). */
export const openPage = `${ownOrigin}open`;

/** Of no site: no page is shown by the renderer that shows this one. */
export const neutralPage = 'data:text/html,';

/** One of the window's own pages, which is nothing of a job's. */
export function isEmptyPage(url: string): boolean {
  return url === blankPage || url === openPage || url === neutralPage;
}

const longest = 300;

/** What is looked at for credentials; a `data:` address can have megabytes. */
const longestRead = 4000;

/** An address at a readable length. */
export function shown(url: string): string {
  if (/^data:/i.test(url)) return shownData(url);
  const own = ownFile.exec(url);
  const clean = own === null ? withoutCredentials(url.slice(0, longestRead)) : readable(url, own[0].length);
  return clean.length > longest ? `${clean.slice(0, longest - 3)}...` : clean;
}

/** The same for addresses inside a text: what a script says, where an error comes from. */
export function withShownAddresses(text: string): string {
  return withoutQuotedUserInfo(text.replace(ownFiles, '').replace(strips, stripShown));
}

/** Of the job's own document or of what lies beside it, with its folder or, for an address that starts at the root, without. */
const ownFile = /^platen:\/\/job\/([\da-f-]{36}\/)?/;
const ownFiles = /platen:\/\/job\/([\da-f-]{36}\/)?/g;

/** The file name of a header or footer that has none of its own; with scripts in it, of the document of one page. */
export function stripName(option: string, page?: number): string {
  return `platen-strip-${option}${page === undefined ? '' : `-${page}`}.html`;
}

const strips = /\bplaten-strip-([a-z_]{1,40})(?:-(\d{1,9}))?\.html/g;

/** `footer_html`, or `footer_html (page 2)`: what it came by, for its file name says nothing to anybody. */
function stripShown(_whole: string, option: string, page: string | undefined): string {
  return page === undefined ? option : `${option} (page ${page})`;
}

export function isOwnFile(url: string): boolean {
  return ownFile.test(url);
}

function readable(url: string, from: number): string {
  const path = url.slice(from, from + longestRead);
  try {
    // Its folder is the document's, and says nothing.
    return decodeURI(path)
      .replace(/^.*\/(?=platen-strip-[^/]*$)/, '')
      .replace(strips, stripShown);
  } catch {
    return path;
  }
}

function shownData(url: string): string {
  const comma = url.slice(0, longest).indexOf(',');
  return `${url.slice(0, comma === -1 ? 60 : comma)},... (${url.length} characters)`;
}
