/** What requests explain: what is missing, refused, late, slow, or sent round in circles. */
import type { LogEvent } from '../events.ts';
import { summaryOf } from '../job-summary.ts';
import { eventsOf, spanOf } from '../select-events.ts';
import { finding, type Finding } from './finding.ts';
import { distinctBy, groupedBy } from './grouped-by.ts';
import { missingFindings } from './missing.ts';
import { address, counted, figure, listed, short } from './phrases.ts';
import { redirectLoops } from './redirects.ts';
import { isErrorStatus, isLate, pageOf, type Request } from './requests.ts';

export function networkFindings(events: readonly LogEvent[]): Finding[] {
  const requests = eventsOf(events, 'request');
  const failed = summaryOf(events).failure !== undefined;
  return [
    ...redirectLoops(requests).map((way) =>
      finding('redirect-loop', `A redirect leads in a circle: ${way}. Its site has to be corrected.`),
    ),
    ...missingFindings(events, requests),
    ...lateFindings(events, requests),
    ...viewerFindings(requests),
    ...blockedFindings(requests.filter(({ text }) => !pdfViewer.test(text))),
    ...slowFindings(
      requests.filter((request) => !isLate(request) || !failed),
      spanOf(events),
    ),
  ];
}

/**
 * Unless a note tells of them, which knows what was waited for. A job that failed has no result they are missing in, and
 * without its own document there is none either.
 */
function lateFindings(events: readonly LogEvent[], requests: readonly Request[]): Finding[] {
  const page = pageOf(requests);
  const open = requests.filter((request) => isLate(request) && request.text !== page?.text);
  const told = eventsOf(events, 'note').some(({ detail }) => detail.code === 'late-resources');
  if (open.length === 0 || told || summaryOf(events).failure !== undefined) return [];
  const names = listed(open, ({ text }) => address(text));
  const sentence = `${counted(open.length, 'request was', 'requests were')} still on the way when the job ended: ${names}.`;
  return [
    finding('late-resources', sentence, {
      severity: 'info',
      options: ['javascript_delay', 'wait_for_element'],
    }),
  ];
}

/** What shows PDF documents in Chromium is an extension of this name, which is refused like all others. */
const pdfViewer = /^chrome-extension:\/\/mhjfbmdgcfjbbpaeojofohoefgiehjai(\/|$)/;
const pdfType = /^application\/(x-)?pdf$/i;

function viewerFindings(requests: readonly Request[]): Finding[] {
  if (!requests.some(({ text }) => pdfViewer.test(text))) return [];
  const { text = '', detail } = pageOf(requests) ?? {};
  const sentence = pdfType.test(detail?.mime ?? '')
    ? `The address serves a PDF, not a page: ${address(text)}. PDF documents are not converted.`
    : 'The page shows a PDF inside itself, and its place stays empty: PDF documents are not converted.';
  return [finding('not-a-page', sentence)];
}

function blockedFindings(requests: readonly Request[]): Finding[] {
  const blocked = requests.filter(({ detail }) => detail.blocked !== undefined && !isErrorStatus(detail));
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
