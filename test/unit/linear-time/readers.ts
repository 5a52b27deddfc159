/** Every function that reads data from outside as text, one row each. A new reader is a new row; new options are included. */
import {
  withoutCredentials,
  hiddenValues,
  secretsInQuery,
  withoutQuotedCredentials,
} from '../../../main/log/masking.ts';
import { archiveName } from '../../../main/asynchronous-jobs/batch/batch-archive.ts';
import { hasPlaceholder, rowFields } from '../../../main/asynchronous-jobs/batch/row-request.ts';
import { factsOfForm, secretsOf } from '../../../main/conversion/job-parameters.ts';
import { messageText, recordConsole } from '../../../main/engine/diagnostics/recording/console.ts';
import { isSurelyComplete } from '../../../main/engine/diagnostics/static-text.ts';
import { isAdHost } from '../../../main/engine/requests/ad-hosts.ts';
import { requestRules } from '../../../main/engine/requests/request-rules.ts';
import { displayUrl, withDisplayUrls } from '../../../main/engine/requests/shown-address.ts';
import { noteSite } from '../../../main/engine/window/site-isolation.ts';
import type { Kind } from '../../../main/fields/kinds.ts';
import { dispositionOf } from '../../../main/http/response/respond.ts';
import { checkHeaders } from '../../../main/http/upload/receive.ts';
import { contentTypeOf, htmlText, withDefaultCharset } from '../../../main/input/html-text.ts';
import { legacyNames } from '../../../main/input/archive/legacy-names.ts';
import { decodePath } from '../../../main/input/folder-files.ts';
import { foldedName } from '../../../main/fields/normalized.ts';
import { documentTypeOf, refuseOtherFileTypes } from '../../../main/input/prepare-source.ts';
import { mayRunScripts, staticDocumentText } from '../../../main/input/static-document.ts';
import { formatOf } from '../../../main/input/template/data/format-of.ts';
import { readJson } from '../../../main/input/template/data/read-data.ts';
import { setupsOfPages } from '../../../main/job/layout.ts';
import { optionNames, table, type Options } from '../../../main/job/options.ts';
import { pagesInRange, pageRange } from '../../../main/job/page-range.ts';
import { dropExcessiveValues } from '../../../main/job/read-fields.ts';
import { readJob } from '../../../main/job/read-job.ts';
import { DebugLog } from '../../../main/log/debug-log.ts';
import { readAddress } from '../../../main/network/addresses.ts';
import { readHost, targetOfAuthority } from '../../../main/network/host-name.ts';
import { isRefusedAddress } from '../../../main/network/resolve-target.ts';
import { csvRows } from '../../../main/rows/csv-rows.ts';
import { jsonArrayRows, jsonLineRows } from '../../../main/rows/json-rows.ts';
import { rowLimits, type Row } from '../../../main/rows/row.ts';
import { limits } from '../job/forms.ts';

export interface Reader {
  readonly name: string;
  /** Texts with which the adversarial part begins, so that it reaches the loops; also none. */
  readonly starts?: readonly string[];
  /** Longer texts never reach the reader. */
  readonly maxLength?: number;
  readonly read: (text: string) => unknown;
}

/** One row for each kind, because many options share a kind. */
const kinds = new Map<Kind<unknown>, string>(optionNames.map((name) => [table[name].kind, name]));

const kindStarts: Readonly<Record<string, readonly string[]>> = {
  cookies: ['a='],
  custom_http_header: ['a:'],
  conversion_config: ['{"pageSetup":[{"pages":"', '{"pageSetup":['],
};

const html = { contentType: 'text/html; charset=utf-8' };

const onSite = requestRules({
  input: { kind: 'url', url: new URL('http://a') },
  options: { http_auth_password: 'a' } as Options,
});

export const readers: readonly Reader[] = [
  ...[...kinds].map(([kind, name]) => ({
    name: `option ${name}`,
    starts: kindStarts[name] ?? [],
    // Eight times the limits of most kinds.
    maxLength: 100_000,
    read: (text: string) => [kind.read(text), kind.explain?.(text)],
  })),
  {
    name: 'type of a document',
    starts: ['<?xml ', '<!--'],
    read: (text) => documentTypeOf(Buffer.from(text), 'a.xhtml'),
  },
  { name: 'file types', read: (text) => refuseOtherFileTypes(Buffer.from(text), 'a') },
  {
    name: 'character set of a document',
    starts: ['<meta charset='],
    read: (text) => contentTypeOf(Buffer.from(text)),
  },
  {
    name: 'text of a document',
    starts: ['charset="'],
    read: (text) => htmlText(Buffer.from(text), { contentType: text }),
  },
  {
    name: 'content type of a response',
    starts: ['text/html;'],
    read: (text) => withDefaultCharset(text, Buffer.from(text), 'utf-8'),
  },
  { name: 'scripts of a document', starts: ['<'], read: (text) => mayRunScripts(Buffer.from(text)) },
  {
    name: 'static document',
    starts: ['<style', '<meta name="author" content="', 'src='],
    read: (text) => staticDocumentText({ bytes: Buffer.from(text), ...html }, false),
  },
  {
    name: 'rows, CSV',
    starts: ['a,b\n', '"'],
    read: (text) => drain(csvRows(partsOf(text), { ...rowLimits, maxRows: 1000 })),
  },
  {
    name: 'rows, JSON lines',
    starts: ['{"a":"'],
    read: (text) => drain(jsonLineRows(partsOf(text), { ...rowLimits, maxRows: 1000 })),
  },
  {
    name: 'rows, JSON array',
    starts: ['[{"a":"'],
    read: (text) => drain(jsonArrayRows(partsOf(text), rowLimits)),
  },
  {
    name: 'output_name of a batch',
    starts: ['{{'],
    read: (text) => [
      hasPlaceholder(text),
      rowFields('{"a":"b"}', text),
      rowFields(JSON.stringify({ a: text }), '{{a}}'.repeat(800)),
    ],
  },
  { name: 'format of data', starts: ['a'], read: (text) => formatOf(text, { csvDelimiter: undefined }) },
  { name: 'data, JSON', starts: ['{"a":'], read: readJson },
  { name: 'path in an archive', starts: ['a/'], read: (text) => foldedName(decodePath(text)) },
  {
    name: 'name in an archive in another encoding',
    starts: ['é'],
    read: legacyNames({ rawNames: [['\xe9', 'é']] }),
  },
  {
    name: 'input, url',
    starts: ['http://'],
    read: (text) => readJob({ fields: [{ name: 'url', value: text }], files: [] }, limits),
  },
  {
    name: 'input, url of many different characters',
    maxLength: 100_000,
    read: ({ length }) =>
      readJob(
        { fields: [{ name: 'url', value: `http://${differentCharacters(length)}` }], files: [] },
        limits,
      ),
  },
  {
    name: 'address of a page',
    read({ length }) {
      const address = `http://xn--${'a'.repeat(length)}-${'b'.repeat(length)}/`;
      noteSite({ site: 'http://a' }, address);
      return [isRefusedAddress(address, []), onSite.credentialsFor(address)];
    },
  },
  { name: 'label of a file in an archive of rows', read: archiveName },
  { name: 'name of an output', read: (text) => dispositionOf(text, 'inline') },
  {
    name: 'completeness of a static document',
    starts: ['<table>', '<style>'],
    read: (text) => isSurelyComplete(text, { content_viewport_width: 1024 } as Options),
  },
  {
    name: 'host',
    starts: ['['],
    read: (text) => [readHost(text), readAddress(text), targetOfAuthority(text)],
  },
  {
    name: 'address for display',
    starts: ['http://', 'platen://job/', 'data:'],
    read: (text) => [displayUrl(text), withDisplayUrls(text), isAdHost(text)],
  },
  {
    name: 'credentials in a text',
    starts: ['http://', 'http://a/?token='],
    read: (text) => [withoutCredentials(text), withoutQuotedCredentials(text), secretsInQuery(text)],
  },
  { name: 'secrets of a form', starts: ['a='], read: (text) => secretsOf(formOf('cookies', text)) },
  { name: 'record of a form', read: (text) => factsOfForm(formOf('title', text), (value) => value) },
  {
    name: 'fields of a form',
    read: (text) =>
      dropExcessiveValues({
        fields: text.split(text.slice(0, 2)).map((value) => ({ name: 'cookies', value })),
        files: [],
      }),
  },
  { name: 'mask of secrets', read: masked },
  {
    name: 'message of the console',
    starts: ['%s'],
    read: (text) =>
      messageText([
        { type: 'string', value: text },
        { type: 'string', value: text },
      ]),
  },
  { name: 'exception of a page', starts: ['Error\n    at a'], read: recordedException },
  {
    name: 'content type of a request',
    starts: ['multipart/form-data;'],
    read(text) {
      const request = { headers: { 'content-type': text } } as unknown as Parameters<typeof checkHeaders>[0];
      checkHeaders(request, { maxUpload: 1 });
    },
  },
  {
    name: 'pages of a range',
    starts: ['1-,'],
    read: (text) => pagesInRange(pageRange.read(text) ?? [], 2000),
  },
  { name: 'page setups', read: pageSetups },
];

function differentCharacters(count: number): string {
  const first = 0x3400;
  return Array.from({ length: count }, (_, index) => String.fromCharCode(first + (index % 20_000))).join('');
}

function formOf(name: string, value: string) {
  return { fields: [{ name, value }], files: [] };
}

async function* partsOf(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += 65_536)
    yield await Promise.resolve(text.slice(from, from + 65_536));
}

async function drain(rows: AsyncIterable<Row>): Promise<number> {
  let count = 0;
  for await (const _ of rows) count += 1;
  return count;
}

function masked(text: string): string {
  const values = hiddenValues();
  values.hide(Array.from({ length: 100 }, (_, index) => `${text.slice(0, 40)}${index}`));
  values.hide([text.slice(0, 1000)]);
  return values.masked(text);
}

function recordedException(text: string): void {
  const exceptionDetails = {
    text: 'Uncaught',
    lineNumber: 1,
    columnNumber: 1,
    exception: { type: 'object', subtype: 'error', description: text },
  };
  recordConsole(new DebugLog())('Runtime.exceptionThrown', {
    timestamp: Date.now() + 1000,
    exceptionDetails,
  });
}

/** Lays out as many page setups as the text has characters, up to the limit of the option, on as many pages. */
function pageSetups(text: string): unknown {
  const count = Math.min(1000, Math.floor(text.length / 100));
  const setups = Array.from({ length: count }, (_, index) => ({
    pages: ['1-', 'odd', 'last', `-${index + 1}`][index % 4],
    backgroundColor: 'ff0000',
  }));
  const { options } = readJob(
    {
      fields: [
        { name: 'text', value: 'a' },
        { name: 'conversion_config', value: JSON.stringify({ pageSetup: setups }) },
      ],
      files: [],
    },
    limits,
  );
  return setupsOfPages(options, count);
}
