/** Formats addresses for logs and responses: without credentials, and the job's own files by path only. */
import { withoutUserInfoInText, withoutCredentials, withoutSecretFields } from '../../log/masking.ts';

/** The start of the address of every job document. Each document is in a folder with a random name (job-document.ts). */
export const jobAddressPrefix = 'platen://job/';

/** An empty page that may run scripts. */
export const blankPage = `${jobAddressPrefix}blank`;

/** An empty page into which inline documents are written (loading/inline-document.ts). */
export const inlineDocumentPage = `${jobAddressPrefix}open`;

/** What logs call an inline document. */
const inlineDocumentLabel = 'document';
/** Matches the address of an inline document inside a text, where a line number may follow, but not that of a file. */
const inlineDocumentPages = /platen:\/\/job\/open(?![^\s:)"'#])/g;

/** Returns whether the address is that of an empty page of the service, which contains nothing of a job. */
export function isEmptyPage(url: string): boolean {
  return url === blankPage || url === inlineDocumentPage;
}

const maxLength = 300;

/** Maximum number of characters that are processed. An address can have megabytes. */
const maxScannedLength = 4000;

/** Returns an address for display: without credentials, and at most 300 characters long. */
export function displayUrl(url: string): string {
  return url.length > maxScannedLength ? copyOf(shownUrl(url)) : shownUrl(url);
}

/** Returns at most `length` characters of a text, which may be kept for long. */
export function beginningOf(text: string, length: number): string {
  return text.length > length ? copyOf(text.slice(0, length)) : text;
}

/** A part of a string would keep the whole string in memory. */
function copyOf(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

function shownUrl(url: string): string {
  if (/^data:/i.test(url)) return shownDataUrl(url);
  if (url === inlineDocumentPage) return inlineDocumentLabel;
  const jobFilePrefix = jobFile.exec(url);
  const readable =
    jobFilePrefix === null
      ? withoutCredentials(url.slice(0, maxScannedLength))
      : readablePath(url, jobFilePrefix[0].length);
  return readable.length > maxLength ? `${readable.slice(0, maxLength - 3)}...` : readable;
}

/**
 * Removes the credentials, the folders of job documents and internal file names from all addresses inside a string, such as a
 * script's message or stack.
 */
export function withDisplayUrls(text: string): string {
  const readable = text
    .replace(inlineDocumentPages, inlineDocumentLabel)
    .replace(jobFiles, '')
    .replace(headerFooterNames, headerFooterLabel);
  return withoutSecretFields(withoutUserInfoInText(readable));
}

/** Matches the start of the address of a job's file: with the folder or, for a root-relative address, without it. */
const jobFile = /^platen:\/\/job\/([\da-f-]{36}\/)?/;
const jobFiles = /platen:\/\/job\/([\da-f-]{36}\/)?/g;

/**
 * Returns the file name of a header or footer document. `page`: its page number; headers and footers with scripts have a separate
 * document for each page.
 */
export function headerFooterName(option: string, page?: number): string {
  return `platen-header-footer-${option}${page === undefined ? '' : `-${page}`}.html`;
}

const headerFooterNames = /\bplaten-header-footer-([a-z_]{1,40})(?:-(\d{1,9}))?\.html/g;

/** Returns the text that replaces the internal file name: `footer_html`, or `footer_html (page 2)`. */
function headerFooterLabel(_whole: string, option: string, page: string | undefined): string {
  return page === undefined ? option : `${option} (page ${page})`;
}

export function isJobFile(url: string): boolean {
  return jobFile.test(url);
}

function readablePath(url: string, start: number): string {
  const path = url.slice(start, start + maxScannedLength);
  try {
    // The folder of the main document is left out, because it is irrelevant for a header or footer.
    return decodeURI(path)
      .replace(/^.*\/(?=platen-header-footer-[^/]*$)/, '')
      .replace(headerFooterNames, headerFooterLabel);
  } catch {
    return path;
  }
}

function shownDataUrl(url: string): string {
  const comma = url.slice(0, maxLength).indexOf(',');
  return `${url.slice(0, comma === -1 ? 60 : comma)},... (${url.length} characters)`;
}
