/** What did not come: the page itself, files that were not sent along, and what other servers should have brought. */
import type { LogEvent, RequestDetail } from '../events.ts';
import { summaryOf } from '../job-summary.ts';
import { lastOf } from '../select-events.ts';
import { finding, type Finding } from './finding.ts';
import { distinctBy } from './grouped-by.ts';
import { address, counted, listed, short } from './phrases.ts';
import { isErrorStatus, isMissing, pageOf, type Request } from './requests.ts';

export function missingFindings(events: readonly LogEvent[], requests: readonly Request[]): Finding[] {
  const page = pageOf(requests);
  const missing = distinctBy(requests.filter(isMissing), ({ text }) => text);
  const parts = missing.filter(({ text }) => text !== page?.text);
  const own = parts.filter(isOwn);
  const remote = parts.filter((request) => !isOwn(request));
  return [
    ...(page !== undefined && isMissing(page) ? [pageMissing(page, events)] : []),
    ...(own.length > 0 ? [ownMissing(own)] : []),
    ...(remote.length > 0 ? [remoteMissing(remote, events)] : []),
  ];
}

/** One of the files that came with the job, or should have. */
function isOwn({ detail: { from, failed = '' } }: Request): boolean {
  return from === 'job' || failed.startsWith('no such file');
}

function pageMissing({ text, detail }: Request, events: readonly LogEvent[]): Finding {
  const converted = summaryOf(events).outcome === 'converted';
  const said = (why: string, options: readonly string[]) =>
    finding('missing-resource', `The page itself, ${address(text)}, ${why}.`, { options });
  if (isErrorStatus(detail)) {
    const { status = 0 } = detail;
    const answered = `was answered with status ${status}`;
    return said(converted ? `${answered}, and that answer was converted` : answered, [
      ...(converted ? ['fail_on_main_url_error'] : []),
      ...(status === 401 || status === 403 ? ['http_auth_user_name', 'cookies'] : []),
    ]);
  }
  const { failed = 'the request failed' } = detail;
  if (failed === notArrived) return said(`did not come: ${unreached}`, []);
  return said(`did not come: ${short(failed)}`, /\bTLS\b/.test(failed) ? untrusted(events) : []);
}

/** The log tells whatever keeps an answer from coming by these words alone, or it would be a port scanner. */
const notArrived = 'did not arrive';
const unreached =
  'its name was not found or nothing answered there; open the address in a browser on the machine where the service runs';

/** Unless no certificate is looked at already. */
export function untrusted(events: readonly LogEvent[]): readonly string[] {
  const options = lastOf(events, 'options')?.detail.options ?? [];
  const checked = options.find(({ name }) => name === 'verify_ssl_certificates')?.value;
  return checked === 'false' ? [] : ['verify_ssl_certificates'];
}

function ownMissing(missing: readonly Request[]): Finding {
  const names = listed(missing, ({ text }) => address(text));
  const files = counted(
    missing.length,
    'file that the document asks for is',
    'files that the document asks for are',
  );
  const sentence = `${files} not among what was sent: ${names}. Send the document as an archive with its files, or write their full addresses.`;
  return finding('missing-resource', sentence, {
    options: ['file', 'zip_main_filename', 'fail_on_any_url_error'],
  });
}

function remoteMissing(missing: readonly Request[], events: readonly LogEvent[]): Finding {
  const said = listed(missing, ({ text, detail }) => `${address(text)} (${problem(detail)})`);
  const sentence = `${counted(missing.length, 'resource')} did not come: ${said}.`;
  // Of a job that failed it can say no more.
  const options = summaryOf(events).failure === undefined ? ['fail_on_any_url_error'] : [];
  return finding('missing-resource', sentence, { options });
}

function problem({ type, status, failed }: RequestDetail): string {
  const why = status !== undefined && status >= 400 ? `status ${status}` : (failed ?? 'failed');
  return type === undefined ? short(why) : `${short(type, 30).toLowerCase()}, ${short(why)}`;
}
