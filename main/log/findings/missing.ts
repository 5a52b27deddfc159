/** Findings about missing resources: the page itself, files missing from the upload, and resources on other servers. */
import { type LogEvent, type RequestDetail, eventsOf, lastOf, requestFailures } from '../events.ts';
import { summaryOf } from '../job-summary.ts';
import { finding, type Finding } from './finding.ts';
import { counted, distinctBy, shortAddress, listed, shortText } from './phrases.ts';
import { isErrorStatus, isMissing, pageOf, withoutFragment, type RequestFacts } from './requests.ts';

export function missingFindings(events: readonly LogEvent[], requests: readonly RequestFacts[]): Finding[] {
  const page = pageOf(requests);
  const missing = distinctBy(requests.filter(isMissing), ({ text }) => withoutFragment(text));
  const resources = missing.filter(({ text }) => text !== page?.text);
  const uploads = resources.filter(isUpload);
  const remote = resources.filter((request) => !isUpload(request));
  return [
    ...(page !== undefined && isMissing(page) ? [missingPageFinding(page, events)] : []),
    ...(uploads.length > 0 ? [missingUploadsFinding(uploads, events)] : []),
    ...(remote.length > 0 ? [missingRemoteFinding(remote, events)] : []),
  ];
}

/** Returns whether the resource is, or should be, a file of the upload. */
function isUpload({ detail: { from, failed = '' } }: RequestFacts): boolean {
  return from === 'job' || failed.startsWith(requestFailures.missingFile);
}

function missingPageFinding({ text, detail }: RequestFacts, events: readonly LogEvent[]): Finding {
  const converted = summaryOf(events).outcome === 'converted';
  const pageFinding = (problem: string, options: readonly string[]) =>
    finding('missing-resource', `The page itself, ${shortAddress(text)}, ${problem}.`, { options });
  if (isErrorStatus(detail)) {
    const { status = 0 } = detail;
    const answered = `was answered with status ${status}`;
    return pageFinding(converted ? `${answered}, and that response was converted` : answered, [
      ...(converted ? ['fail_on_main_url_error'] : []),
      ...(status === 401 || status === 403 ? ['http_auth_user_name', 'cookies'] : []),
    ]);
  }
  const { failed = 'the request failed' } = detail;
  if (failed === requestFailures.unreachable) return pageFinding(`did not load: ${unreachableText}`, []);
  return pageFinding(
    `did not load: ${shortText(failed)}`,
    failed === requestFailures.invalidTls ? certificateOption(events) : [],
  );
}

const unreachableText =
  'the host name was not found, or the server did not respond; open the address in a browser on the machine where the service runs';

/** Returns the option that turns off the verification of certificates, unless the job has already turned it off. */
export function certificateOption(events: readonly LogEvent[]): readonly string[] {
  const options = lastOf(events, 'options')?.detail.options ?? [];
  const checked = options.find(({ name }) => name === 'verify_ssl_certificates')?.value;
  return checked === 'false' ? [] : ['verify_ssl_certificates'];
}

function missingUploadsFinding(missing: readonly RequestFacts[], events: readonly LogEvent[]): Finding {
  const similarNames = new Map(
    eventsOf(events, 'missing-file').map(({ text, detail }) => [text, detail.similar]),
  );
  const files = missing.map(({ text }) => ({ text, similar: similarNames.get(pathOf(text)) ?? [] }));
  // A list names three files: those first for which the finding knows a remedy.
  const names = listed(
    files.toSorted((left, right) => Number(right.similar.length > 0) - Number(left.similar.length > 0)),
    ({ text, similar }) =>
      similar.length === 0
        ? shortAddress(text)
        : `${shortAddress(text)} (the archive has ${listed(similar, shortAddress)})`,
  );
  const count = counted(
    missing.length,
    'file that the document refers to is',
    'files that the document refers to are',
  );
  const isArchive = missing.some(({ detail: { failed = '' } }) => failed.endsWith(' archive'));
  const sentence = isArchive
    ? `${count} missing from the archive: ${names}. Add them to the archive at the places that the document names, or correct their names in the document.`
    : `${count} missing from the upload: ${names}. Send an archive of the document and its files, or use absolute URLs.`;
  return finding('missing-resource', sentence, {
    options: ['file', 'zip_main_filename', 'fail_on_any_url_error'],
  });
}

/** Returns the path of a file that the address of a request names. */
function pathOf(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  try {
    return decodeURIComponent(path).replaceAll(/(?<=[^/])\/+/g, '/');
  } catch {
    return path;
  }
}

function missingRemoteFinding(missing: readonly RequestFacts[], events: readonly LogEvent[]): Finding {
  const names = listed(missing, ({ text, detail }) => `${shortAddress(text)} (${problemOf(detail)})`);
  const sentence = `${counted(missing.length, 'resource')} did not load: ${names}.`;
  // fail_on_any_url_error makes jobs fail, so it does not help if the job has failed.
  const options = summaryOf(events).failure === undefined ? ['fail_on_any_url_error'] : [];
  return finding('missing-resource', sentence, { options });
}

function problemOf({ type, status, failed }: RequestDetail): string {
  const reason = status !== undefined && status >= 400 ? `status ${status}` : (failed ?? 'failed');
  return type === undefined
    ? shortText(reason)
    : `${shortText(type, 30).toLowerCase()}, ${shortText(reason)}`;
}
