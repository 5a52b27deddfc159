/** What requests explain: what is missing, refused, slow, or sent round in circles. */
import type { LogEvent, RequestDetail } from '../events.ts';
import { eventsOf, spanOf, type EventOf } from '../select-events.ts';
import { finding, type Finding } from './finding.ts';
import { distinctBy, groupedBy } from './grouped-by.ts';
import { address, counted, figure, listed, short } from './phrases.ts';
import { gaveUp, redirectLoops } from './redirects.ts';

type Request = EventOf<'request'>;

export function networkFindings(events: readonly LogEvent[]): Finding[] {
  const requests = eventsOf(events, 'request');
  return [
    ...redirectLoops(requests).map((way) =>
      finding('redirect-loop', `A redirect leads in a circle: ${way}. Its site has to be corrected.`),
    ),
    ...missingFindings(requests),
    ...lateFindings(events, requests),
    ...blockedFindings(requests),
    ...slowFindings(requests, spanOf(events)),
  ];
}

/** Addresses that are known to have brought nothing, so that nothing else need be said of them. */
export function absentAddresses(events: readonly LogEvent[]): ReadonlySet<string> {
  const absent = eventsOf(events, 'request').filter(
    (request) => isMissing(request) || gaveUp(request.detail) || request.detail.blocked !== undefined,
  );
  return new Set(absent.map(({ text }) => text));
}

function isMissing({ detail }: Request): boolean {
  if (detail.blocked !== undefined || gaveUp(detail) || noFault.test(detail.failed ?? '')) return false;
  return detail.failed !== undefined || (detail.status ?? 0) >= 400;
}

/** The page itself had no use for it any more, or it came too late. */
const noFault = /^(called off|was still on its way)$/;
const late = /^was still on its way$/;

/** Unless a note tells of them, which knows what was waited for. */
function lateFindings(events: readonly LogEvent[], requests: readonly Request[]): Finding[] {
  const open = requests.filter(({ detail }) => late.test(detail.failed ?? ''));
  const told = eventsOf(events, 'note').some(({ detail }) => detail.code === 'late-resources');
  if (open.length === 0 || told) return [];
  const names = listed(open, ({ text }) => address(text));
  const sentence = `${counted(open.length, 'request was', 'requests were')} still on the way when the job ended: ${names}.`;
  return [
    finding('late-resources', sentence, {
      severity: 'info',
      options: ['javascript_delay', 'wait_for_element'],
    }),
  ];
}

function missingFindings(requests: readonly Request[]): Finding[] {
  const page = requests.find(({ detail }) => documentTypes.has(detail.type ?? ''));
  const missing = distinctBy(requests.filter(isMissing), ({ text }) => text);
  const parts = missing.filter(({ text }) => text !== page?.text);
  const own = parts.filter(isOwn);
  const remote = parts.filter((request) => !isOwn(request));
  return [
    ...(page !== undefined && isMissing(page) ? [pageFailed(page)] : []),
    ...(own.length > 0 ? [ownMissing(own)] : []),
    ...(remote.length > 0 ? [remoteMissing(remote)] : []),
  ];
}

/** One of the files that came with the job, or should have. */
function isOwn({ detail: { from, failed = '' } }: Request): boolean {
  return from === 'job' || failed.startsWith('no such file');
}

/** As DevTools and as webRequest name it. */
const documentTypes: ReadonlySet<string> = new Set(['Document', 'mainFrame']);

function pageFailed({ text, detail: { status, failed } }: Request): Finding {
  const why =
    status !== undefined && status >= 400
      ? `was answered with status ${status}, and that answer was converted`
      : `did not come: ${short(failed ?? 'the request failed')}`;
  const options = ['fail_on_main_url_error', 'http_auth_user_name', 'cookies'];
  return finding('missing-resource', `The page itself, ${address(text)}, ${why}.`, { options });
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

function remoteMissing(missing: readonly Request[]): Finding {
  const said = listed(missing, ({ text, detail }) => `${address(text)} (${problem(detail)})`);
  const sentence = `${counted(missing.length, 'resource')} did not come: ${said}.`;
  return finding('missing-resource', sentence, { options: ['fail_on_any_url_error'] });
}

function problem({ type, status, failed }: RequestDetail): string {
  const why = status !== undefined && status >= 400 ? `status ${status}` : (failed ?? 'failed');
  return type === undefined ? short(why) : `${short(type, 30).toLowerCase()}, ${short(why)}`;
}

function blockedFindings(requests: readonly Request[]): Finding[] {
  const blocked = requests.filter(({ detail }) => detail.blocked !== undefined);
  return [...groupedBy(blocked, ({ detail }) => detail.blocked ?? '')].map(([reason, group]) => {
    const different = distinctBy(group, ({ text }) => text);
    const options = blocking.filter((option) => new RegExp(`\\b${option}\\b`).test(reason));
    const asked = options.length > 0;
    const names = listed(different, ({ text }) => address(text));
    const sentence = `${counted(different.length, 'request was', 'requests were')} refused: ${names}. Why: ${short(reason)}.`;
    const change = asked ? '' : whatToChange(reason);
    return finding('blocked-resource', sentence + change, { options, severity: asked ? 'info' : 'warning' });
  });
}

/** Options by which a caller refuses requests; then it is no surprise. */
const blocking = [
  'block_ads',
  'disable_javascript',
  'disable_image_loading',
  'disable_remote_fonts',
  'load_iframes',
];

function whatToChange(reason: string): string {
  return /\bnetwork policy\b/i.test(reason)
    ? ' Pages may not reach such addresses here; the operator can allow one with the setting network-allow.'
    : '';
}

/** Slower than this share of the whole job, and than what anybody would notice. */
const slowShare = 1 / 4;
const slowLeast = 300;

function slowFindings(requests: readonly Request[], whole: number): Finding[] {
  const slow = requests
    .filter(({ took = 0 }) => took >= slowLeast && took >= whole * slowShare)
    .toSorted((one, other) => (other.took ?? 0) - (one.took ?? 0));
  if (slow.length === 0) return [];
  const said = listed(slow, ({ text, took = 0 }) => `${address(text)} (${figure(Math.round(took))} ms)`);
  const sentence = `${counted(slow.length, 'request')} took long, of ${figure(Math.round(whole))} ms in all: ${said}.`;
  return [finding('slow-resource', sentence, { options: ['max_loading_time'] })];
}
