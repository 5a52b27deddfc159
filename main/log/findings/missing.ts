/** Findings about missing resources: the page itself, files missing from the upload, and resources on other servers. */
import type { LogEvent, RequestDetail } from '../events.ts';
import { summaryOf } from '../job-summary.ts';
import { lastOf } from '../select-events.ts';
import { finding, type Finding } from './finding.ts';
import { distinctBy, address, counted, listed, short } from './phrases.ts';
import { isErrorStatus, isMissing, pageOf, type Request } from './requests.ts';

export function missingFindings(events: readonly LogEvent[], requests: readonly Request[]): Finding[] {
  const page = pageOf(requests);
  const missing = distinctBy(requests.filter(isMissing), ({ text }) => text);
  const resources = missing.filter(({ text }) => text !== page?.text);
  const uploads = resources.filter(isUpload);
  const remote = resources.filter((request) => !isUpload(request));
  return [
    ...(page !== undefined && isMissing(page) ? [pageMissing(page, events)] : []),
    ...(uploads.length > 0 ? [uploadsMissing(uploads)] : []),
    ...(remote.length > 0 ? [remoteMissing(remote, events)] : []),
  ];
}

/** Whether the resource is a file of the upload, or would have to be. */
function isUpload({ detail: { from, failed = '' } }: Request): boolean {
  return from === 'job' || failed.startsWith('no such file');
}

function pageMissing({ text, detail }: Request, events: readonly LogEvent[]): Finding {
  const converted = summaryOf(events).outcome === 'converted';
  const pageFinding = (problem: string, options: readonly string[]) =>
    finding('missing-resource', `The page itself, ${address(text)}, ${problem}.`, { options });
  if (isErrorStatus(detail)) {
    const { status = 0 } = detail;
    const answered = `was answered with status ${status}`;
    return pageFinding(converted ? `${answered}, and that response was converted` : answered, [
      ...(converted ? ['fail_on_main_url_error'] : []),
      ...(status === 401 || status === 403 ? ['http_auth_user_name', 'cookies'] : []),
    ]);
  }
  const { failed = 'the request failed' } = detail;
  if (failed === notArrived) return pageFinding(`did not load: ${unreachable}`, []);
  return pageFinding(
    `did not load: ${short(failed)}`,
    /\bTLS\b/.test(failed) ? certificateOption(events) : [],
  );
}

/** The log gives this one reason for every unreachable address; more detail would turn the service into a port scanner. */
const notArrived = 'did not arrive';
const unreachable =
  'its name was not found or nothing answered there; open the address in a browser on the machine where the service runs';

/** Returns the option that turns off the verification of certificates, unless the job has turned it off already. */
export function certificateOption(events: readonly LogEvent[]): readonly string[] {
  const options = lastOf(events, 'options')?.detail.options ?? [];
  const checked = options.find(({ name }) => name === 'verify_ssl_certificates')?.value;
  return checked === 'false' ? [] : ['verify_ssl_certificates'];
}

function uploadsMissing(missing: readonly Request[]): Finding {
  const names = listed(missing, ({ text }) => address(text));
  const files = counted(
    missing.length,
    'file that the document refers to is',
    'files that the document refers to are',
  );
  const sentence = `${files} missing from the upload: ${names}. Send an archive of the document and its files, or use absolute URLs.`;
  return finding('missing-resource', sentence, {
    options: ['file', 'zip_main_filename', 'fail_on_any_url_error'],
  });
}

function remoteMissing(missing: readonly Request[], events: readonly LogEvent[]): Finding {
  const names = listed(missing, ({ text, detail }) => `${address(text)} (${problemOf(detail)})`);
  const sentence = `${counted(missing.length, 'resource')} did not load: ${names}.`;
  // The option makes jobs fail, so it is no help for a job that failed.
  const options = summaryOf(events).failure === undefined ? ['fail_on_any_url_error'] : [];
  return finding('missing-resource', sentence, { options });
}

function problemOf({ type, status, failed }: RequestDetail): string {
  const reason = status !== undefined && status >= 400 ? `status ${status}` : (failed ?? 'failed');
  return type === undefined ? short(reason) : `${short(type, 30).toLowerCase()}, ${short(reason)}`;
}
