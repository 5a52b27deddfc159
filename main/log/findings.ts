/** Derives the findings of a job from the events in its debug log alone, so that improvements also apply to old logs. */
import {
  blockedByNetworkPolicy,
  type LogEvent,
  type ExaminedImage,
  type BreaksEvent,
  type LayoutEvent,
  type EncodingEvent,
  eventsOf,
  lastOf,
  spanOf,
  type EventOf,
} from './events.ts';
import { bySeverity, finding, type Finding } from './findings/finding.ts';
import { fontFindings } from './findings/fonts.ts';
import { outcomeFindings } from './findings/outcome.ts';
import {
  missingAddresses,
  isErrorStatus,
  isPending,
  pageOf,
  redirectLoops,
  withoutFragment,
  type RequestFacts,
} from './findings/requests.ts';
import {
  counted,
  formatNumber,
  shortAddress,
  listed,
  shortText,
  groupedBy,
  distinctBy,
} from './findings/phrases.ts';
import type { FindingCode } from './finding-codes.ts';
import { summaryOf } from './job-summary.ts';
import { newerFeaturesSentence } from './findings/newer-features.ts';
import { missingFindings } from './findings/missing.ts';

/** Returns one finding for each cause, not for each event; the most severe come first. */
export function findingsOf(events: readonly LogEvent[]): Finding[] {
  const derived = derivedFindings(events);
  const notes = [...groupedBy(noteFindings(events, derived), ({ code }) => code)];
  return bySeverity([
    ...outcomeFindings(events, derived),
    ...derived,
    ...notes.flatMap(([code, group]) => limitNotes(code, group)),
  ]);
}

/** Returns the warnings and errors that follow from some events of a job that has not ended; the most severe come first. */
export function warningsIn(events: readonly LogEvent[]): Finding[] {
  if (events.length === 0) return [];
  const derived = derivedFindings(events);
  const found = [...derived, ...noteFindings(events, derived)];
  return bySeverity(found.filter(({ severity }) => severity !== 'info'));
}

/** Returns the findings that follow from events other than notes. */
function derivedFindings(events: readonly LogEvent[]): Finding[] {
  return [
    networkFindings,
    scriptFindings,
    encodingFindings,
    fontFindings,
    imageFindings,
    layoutFindings,
  ].flatMap((find) => find(events));
}

// Images that cannot be shown, and images with far more pixels than are shown.

function imageFindings(events: readonly LogEvent[]): Finding[] {
  const images = eventsOf(events, 'images').flatMap(({ detail }) => detail.images);
  const absent = missingAddresses(events);
  return [
    ...brokenImageFindings(
      images.filter(({ problem, url }) => problem === 'broken' && !absent.has(withoutFragment(url))),
    ),
    ...oversizedImageFindings(
      images.filter(({ problem }) => problem === 'oversized'),
      lastOf(events, 'layout')?.detail.image === undefined,
    ),
  ];
}

function brokenImageFindings(images: readonly ExaminedImage[]): Finding[] {
  if (images.length === 0) return [];
  const names = listed(images, ({ url, element }) => `${shortAddress(url)} (${shortText(element)})`);
  const sentence = `${counted(images.length, 'image')} loaded but cannot be shown, because the file is damaged or not an image: ${names}.`;
  return [finding('image-broken', sentence)];
}

function oversizedImageFindings(images: readonly ExaminedImage[], onPaper: boolean): Finding[] {
  if (images.length === 0) return [];
  const names = listed(
    images,
    ({ url, natural, shown }) => `${shortAddress(url)} (${size(natural)}, shown at ${size(shown)} px)`,
  );
  const cost = onPaper ? 'makes the document larger and slower' : 'takes time and memory';
  const sentence = `${counted(images.length, 'image')} ${images.length === 1 ? 'has' : 'have'} far more pixels than can be seen, which ${cost}: ${names}.`;
  const options = onPaper ? ['image_dpi', 'convert_images_to_jpeg', 'jpeg_quality'] : [];
  return [finding('image-oversized', sentence, { options })];
}

function size({ width, height }: ExaminedImage['natural']): string {
  return `${formatNumber(width)} × ${formatNumber(height)}`;
}

// Notes with a finding code: each becomes a finding with the same text.

const maxNotesPerCode = 5;

const lateCodes: ReadonlySet<FindingCode> = new Set(['late-resources', 'late-changes']);

/** Omits notes that repeat a finding in `derived`. If the job failed and has no output, also omits notes about late content. */
function noteFindings(events: readonly LogEvent[], derived: readonly Finding[]): Finding[] {
  const failed = summaryOf(events).failure !== undefined;
  const coded = eventsOf(events, 'note').flatMap(({ text, detail: { code, options = [] } }) =>
    code === undefined || (failed && lateCodes.has(code)) ? [] : [finding(code, text, { options })],
  );
  const derivedKeys = new Set(derived.map(findingKey));
  return uniqueSentences(coded.filter((note) => !derivedKeys.has(findingKey(note))));
}

/** Returns a key that is equal for a note and a derived finding with the same cause. */
function findingKey({ code, options }: Finding): string {
  return `${code} ${options.join(' ')}`;
}

function uniqueSentences(notes: readonly Finding[]): Finding[] {
  return [...new Map(notes.map((note) => [note.sentence, note])).values()];
}

function limitNotes(code: FindingCode, notes: readonly Finding[]): Finding[] {
  if (notes.length <= maxNotesPerCode) return [...notes];
  const omitted = counted(notes.length - maxNotesPerCode, 'more note');
  return [...notes.slice(0, maxNotesPerCode), finding(code, `${omitted} of this kind; see the notes.`)];
}

// Layout: content that is too wide or too tall, elements cut by page breaks, headers and footers that do not fit.

type Breaks = BreaksEvent['detail'];

function layoutFindings(events: readonly LogEvent[]): Finding[] {
  const breaks = eventsOf(events, 'breaks').map(({ detail }) => detail);
  const layout = lastOf(events, 'layout')?.detail;
  return [
    ...overflowFindings(
      breaks.flatMap(({ overflows }) => overflows),
      layout,
    ),
    ...tallElementFindings(breaks.flatMap((event) => event.tall)),
    ...splitElementFindings(breaks.flatMap(({ splits }) => splits)),
    ...eventsOf(events, 'header-footer')
      .filter(({ detail: { content, place, width } }) => content > place || width !== undefined)
      .map(({ text, detail: { side, content, place } }) => {
        const heights = content > place ? [`${side}_height`] : [];
        return finding('header-footer-clipped', text, {
          options: [...heights, 'header_footer_scale_factor'],
        });
      }),
  ];
}

function overflowFindings(
  overflows: Breaks['overflows'],
  layout: LayoutEvent['detail'] | undefined,
): Finding[] {
  if (overflows.length === 0) return [];
  const elements = listed(overflows, ({ element, by }) => `${shortText(element)} by ${formatNumber(by)} px`);
  const extend = overflows.length === 1 ? 'extends' : 'extend';
  const edge =
    layout === undefined
      ? 'the right edge of the layout'
      : `the right edge of a layout ${formatNumber(layout.viewport.width)} px wide`;
  const sentence = `${counted(overflows.length, 'element')} ${extend} beyond ${edge}: ${elements}. The overflow is cut, or the whole page is scaled down to fit it.`;
  const options =
    layout?.image === undefined
      ? ['content_viewport_width', 'content_fit_mode', 'scale_factor']
      : ['content_viewport_width', 'screenshot_width'];
  return [finding('content-overflows', sentence, { options })];
}

function tallElementFindings(elements: Breaks['tall']): Finding[] {
  if (elements.length === 0) return [];
  const names = listed(
    elements,
    ({ element, height, page }) =>
      `${shortText(element)} (${formatNumber(height)} px, begins on page ${page})`,
  );
  const are = elements.length === 1 ? 'is' : 'are';
  const sentence = `${counted(elements.length, 'element')} ${are} taller than a page and must be cut: ${names}.`;
  return [
    finding('content-taller-than-page', sentence, {
      options: ['page_height', 'scale_factor', 'content_fit_mode'],
    }),
  ];
}

function splitElementFindings(elements: Breaks['splits']): Finding[] {
  if (elements.length === 0) return [];
  const names = listed(
    elements,
    ({ element, first, last }) => `${shortText(element)} (pages ${first} to ${last})`,
  );
  const are = elements.length === 1 ? 'is' : 'are';
  const open = elements.some((element) => element.open === true)
    ? ' Cells that continue on the next page have no line at the end of the page.'
    : '';
  const sentence = `${counted(elements.length, 'element')} ${are} split by a page break: ${names}. The style break-inside: avoid keeps an element on one page.${open}`;
  return [finding('content-split', sentence, { options: ['custom_css'] })];
}

// Requests: missing, blocked, late and slow resources, and redirect loops.

function networkFindings(events: readonly LogEvent[]): Finding[] {
  const requests = eventsOf(events, 'request');
  const failed = summaryOf(events).failure !== undefined;
  return [
    ...redirectLoops(requests).map((loop) =>
      finding('redirect-loop', `A redirect never ends: ${loop}. Correct the redirect on the site.`),
    ),
    ...missingFindings(events, requests),
    ...pendingRequestFindings(events, requests),
    ...viewerFindings(requests),
    ...blockedFindings(requests.filter(({ text }) => !pdfViewer.test(text))),
    ...slowFindings(
      requests.filter((request) => !isPending(request) || !failed),
      spanOf(events),
    ),
  ];
}

/**
 * Reports requests that were pending at the end of the job, except the request for the document itself. Returns nothing if there
 * is a `late-resources` note, which lists the same requests, or if the job failed and has no output.
 */
function pendingRequestFindings(events: readonly LogEvent[], requests: readonly RequestFacts[]): Finding[] {
  const page = pageOf(requests);
  const pending = requests.filter((request) => isPending(request) && request.text !== page?.text);
  const hasNote = eventsOf(events, 'note').some(({ detail }) => detail.code === 'late-resources');
  if (pending.length === 0 || hasNote || summaryOf(events).failure !== undefined) return [];
  const names = listed(pending, ({ text }) => shortAddress(text));
  const sentence = `${counted(pending.length, 'request was', 'requests were')} not finished when the job ended: ${names}.`;
  return [
    finding('late-resources', sentence, {
      severity: 'info',
      options: ['javascript_delay', 'wait_for_element'],
    }),
  ];
}

/** The address of Chromium's PDF viewer, an extension. Like all extensions, the viewer is blocked. */
const pdfViewer = /^chrome-extension:\/\/mhjfbmdgcfjbbpaeojofohoefgiehjai(\/|$)/;
const pdfType = /^application\/(x-)?pdf$/i;

function viewerFindings(requests: readonly RequestFacts[]): Finding[] {
  if (!requests.some(({ text }) => pdfViewer.test(text))) return [];
  const { text = '', detail } = pageOf(requests) ?? {};
  const sentence = pdfType.test(detail?.mime ?? '')
    ? `The address returns a PDF, not a web page: ${shortAddress(text)}. PDF documents are not converted.`
    : 'The page embeds a PDF. Its area stays blank, because PDF documents are not converted.';
  return [finding('not-a-page', sentence)];
}

function blockedFindings(requests: readonly RequestFacts[]): Finding[] {
  const blocked = requests.filter(({ detail }) => detail.blocked !== undefined && !isErrorStatus(detail));
  return [...groupedBy(blocked, ({ detail }) => detail.blocked ?? '')].map(([reason, group]) => {
    const distinct = distinctBy(group, ({ text }) => text);
    // eslint-disable-next-line platen/linear-pattern -- The name of an option.
    const options = blockingOptions.filter((option) => new RegExp(`\\b${option}\\b`).test(reason));
    const isRequested = options.length > 0;
    const names = listed(distinct, ({ text }) => shortAddress(text));
    const sentence = `${counted(distinct.length, 'request was', 'requests were')} blocked: ${names}. Reason: ${shortText(reason)}.`;
    const remedy = isRequested ? '' : blockedRemedy(reason);
    return finding('blocked-resource', sentence + remedy, {
      options,
      severity: isRequested ? 'info' : 'warning',
    });
  });
}

/** Options with which callers block requests themselves; such findings are only informative. */
const blockingOptions = [
  'block_ads',
  'disable_javascript',
  'disable_image_loading',
  'disable_remote_fonts',
  'load_iframes',
];

function blockedRemedy(reason: string): string {
  return reason === blockedByNetworkPolicy
    ? ' The network policy blocks such addresses; the operator can allow one with network-allow.'
    : '';
}

/** A request is slow if it takes at least this share of the job's time, and at least `minSlowMs`. */
const minSlowShare = 1 / 4;
const minSlowMs = 300;

function slowFindings(requests: readonly RequestFacts[], jobMs: number): Finding[] {
  const slow = requests
    .filter(({ took = 0 }) => took >= minSlowMs && took >= jobMs * minSlowShare)
    .toSorted((left, right) => (right.took ?? 0) - (left.took ?? 0));
  if (slow.length === 0) return [];
  const names = listed(
    slow,
    ({ text, took = 0 }) => `${shortAddress(text)} (${formatNumber(Math.round(took))} ms)`,
  );
  const was = slow.length === 1 ? 'was' : 'were';
  const sentence = `${counted(slow.length, 'request')} ${was} slow; the whole job took ${formatNumber(Math.round(jobMs))} ms: ${names}.`;
  return [finding('slow-resource', sentence, { options: ['max_loading_time'] })];
}

// Console: uncaught exceptions, and errors that the page logs with console.error.

type ConsoleLine = EventOf<'console'>;

/** Chromium's messages about failed and blocked requests, which other findings cover. */
const requestMessage = /^(Failed to load resource\b|Access to .* has been blocked by CORS policy)/;

/** Options whose value is a script, or a document that may contain scripts. */
const scriptOptions = ['on_load_javascript', 'custom_javascript', 'header_html', 'footer_html'];

function scriptFindings(events: readonly LogEvent[]): Finding[] {
  const lines = eventsOf(events, 'console');
  const thrown = groupedBy(
    lines.filter(({ detail }) => detail.level === 'exception'),
    lineKey,
  );
  const logged = groupedBy(
    lines.filter(({ text, detail }) => detail.level === 'error' && !requestMessage.test(text)),
    lineKey,
  );
  return [
    ...(thrown.size > 0 ? [uncaughtErrorFinding([...thrown.values()], events)] : []),
    ...(logged.size > 0 ? [loggedErrorFinding([...logged.values()])] : []),
  ];
}

function lineKey({ text, detail: { source, line, column = 0 } }: ConsoleLine): string {
  return `${source} ${line} ${column} ${text}`;
}

function uncaughtErrorFinding(groups: readonly ConsoleLine[][], events: readonly LogEvent[]): Finding {
  const count = counted(groups.length, 'uncaught script error');
  const sentence = `${count}; the rest of the script did not run: ${listed(groups, describeLines)}.`;
  const newer = newerFeaturesSentence(
    groups.flatMap(([line]) => line?.text ?? []),
    lastOf(events, 'job')?.detail.versions.chromium,
  );
  const options = scriptOptions.filter((option) =>
    groups.some(([line]) => isFromOption(option, line?.detail.source ?? '')),
  );
  return finding('script-error', `${sentence}${newer}`, { options });
}

/**
 * Returns whether the source of a message is the value of an option. A header or footer with scripts is a separate document for
 * each page, such as `footer_html (page 2)`.
 */
function isFromOption(option: string, source: string): boolean {
  return source === option || source.startsWith(`${option} (`);
}

/** Returns a finding of severity `warning`, because an error that a page logs itself may be harmless. */
function loggedErrorFinding(groups: readonly ConsoleLine[][]): Finding {
  const sentence = `The page logged ${counted(groups.length, 'error')} to the console: ${listed(groups, describeLines)}.`;
  return finding('script-error', sentence, { severity: 'warning' });
}

function describeLines([line, ...repeated]: readonly ConsoleLine[]): string {
  if (line === undefined) return '';
  const times = repeated.length === 0 ? '' : ` (${counted(repeated.length + 1, 'time')})`;
  return `“${shortText(line.text, 200)}”${location(line.detail)}${times}`;
}

function location({ source, line, column }: ConsoleLine['detail']): string {
  if (source === '') return '';
  if (line === 0) return ` at ${shortAddress(source)}`;
  return ` at ${shortAddress(source)}:${column === undefined ? line : `${line}:${column}`}`;
}

// Encoding: documents that were decoded with the wrong encoding.

type Encoding = EncodingEvent['detail'];

function encodingFindings(events: readonly LogEvent[]): Finding[] {
  const encoding = lastOf(events, 'encoding')?.detail;
  if (encoding === undefined || (encoding.garbled === undefined && encoding.replaced === 0)) return [];
  const isCertain = !isDoubtful(encoding);
  const remedy = isCertain
    ? remedies[encoding.declared]
    : 'The text may have been garbled before it was sent, or it may quote garbled text on purpose.';
  const sentence = `The document was read as ${shortText(encoding.encoding, 40)} (${declarations[encoding.declared]}), but ${evidence(encoding)}. ${remedy}`;
  // A declaration in the document takes precedence over the option.
  const options = encoding.declared === 'nothing' ? ['default_encoding'] : [];
  return [finding('wrong-encoding', sentence, { options, severity: isCertain ? 'error' : 'warning' })];
}

/** Where the encoding of a document was declared, in words. */
export const declarations: Readonly<Record<Encoding['declared'], string>> = {
  header: 'declared in its Content-Type header',
  meta: 'declared in its meta element',
  mark: 'declared by its byte order mark',
  nothing: 'not declared anywhere',
};

const wrongDeclaration = 'The declaration is wrong: correct it, or save the document in that encoding.';
const remedies: Readonly<Record<Encoding['declared'], string>> = {
  header: wrongDeclaration,
  meta: wrongDeclaration,
  mark: 'Save the document again with the byte order mark of its encoding.',
  nothing: 'Add <meta charset> to the document, or set default_encoding.',
};

/** Returns true for valid UTF-8 that is declared as UTF-8: the text was garbled earlier, or it quotes garbled text. */
function isDoubtful({ encoding, declared, replaced }: Encoding): boolean {
  return replaced === 0 && declared !== 'nothing' && /^utf-?8$/i.test(encoding);
}

function evidence({ garbled, replaced, encoding }: Encoding): string {
  if (garbled !== undefined)
    return `its text looks like UTF-8 read in another encoding: “${shortText(garbled, 60)}”`;
  return `${counted(replaced, 'character')} cannot be read as ${shortText(encoding, 40)} and ${replaced === 1 ? 'shows' : 'show'} as �`;
}
