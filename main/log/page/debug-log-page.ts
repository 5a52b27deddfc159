/** Renders a debug log as one HTML page without scripts or external assets, which also works from disk and in print. */
import {
  type LogEvent,
  type OptionsEvent,
  type PictureEvent,
  type ImagesEvent,
  type ConsoleEvent,
  eventsOf,
  spanOf,
  lastOf,
  type EventOf,
} from '../events.ts';
import { findingsOf } from '../findings.ts';
import { summaryOf, type JobSummary } from '../job-summary.ts';
import { fonts } from './fonts.ts';
import { layout } from './layout.ts';
import {
  html,
  sourceOf,
  trusted,
  untrusted,
  navigation,
  section,
  factList,
  type Markup,
  type Section,
} from './markup.ts';
import { network } from './network.ts';
import { sizes } from './sizes.ts';
import { policyInPage, style } from './style.ts';
import { milliseconds, bytes, number, pixels } from './figures.ts';
import { cutList, table, type Row } from './table.ts';
import { axis, bars } from './time-axis.ts';
import { noFindingsSentence, type Finding, type Severity } from '../findings/finding.ts';
import { namesStage } from '../findings/outcome.ts';

const sections = [stages, network, consoleLines, layout, fonts, images, sizes, options, notes, allEvents];

/** Renders the page and omits empty sections. `links` are absent if the page is saved as a file. */
export function debugLogPage(events: readonly LogEvent[], links?: LogPageLinks): string {
  const shown = [
    findingsSection(findingsOf(events), events),
    ...sections.flatMap((part) => part(events) ?? []),
  ];
  return sourceOf(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="content-security-policy" content="${trusted(policyInPage)}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <meta name="robots" content="noindex" />
          <title>Debug log ${summaryOf(events).id.slice(0, 100)}</title>
          ${trusted(`<style>${style}</style>`)}
        </head>
        <body>
          <main>${head(events, links)} ${navigation(shown)} ${shown.map(section)}</main>
        </body>
      </html> `,
  );
}

// All events in the order of the log, in a closed details element.

const maxEvents = 500;
const maxDetailLength = 600;

function allEvents(events: readonly LogEvent[]): Section | undefined {
  if (events.length === 0) return undefined;
  const { first, more } = cutList(events, maxEvents);
  const columns = [
    { name: 'At ms', className: 'number' },
    { name: 'Kind', className: 'level' },
    { name: 'Event', className: 'name' },
  ];
  const content = html`<details>
    <summary>Show all events</summary>
    ${table({ label: 'All events', columns, rows: first.map(eventRow) })}${more}
  </details>`;
  return { id: 'events', title: 'All events', count: events.length, content };
}

function eventRow(event: LogEvent): Row {
  const { at, kind, text } = event;
  const detail = rawDetail(event);
  const more =
    detail === '{}'
      ? undefined
      : html`<br /><small><code>${untrusted(detail, maxDetailLength)}</code></small>`;
  return { className: 'flat', cells: [milliseconds(at), kind, html`${untrusted(text, 400)}${more}`] };
}

function rawDetail({ kind, detail }: LogEvent): string {
  // The picture is shown at the top, so its data is omitted here.
  if (kind === 'picture') return JSON.stringify({ ...detail, data: `(${detail.data.length} characters)` });
  return JSON.stringify(detail);
}

const maxNotes = 200;

export function notes(events: readonly LogEvent[]): Section | undefined {
  const all = eventsOf(events, 'note');
  if (all.length === 0) return undefined;
  const { first, more } = cutList(all, maxNotes);
  const columns = [
    { name: 'At ms', className: 'number' },
    { name: 'Note', className: 'name' },
  ];
  const rows = first.map(({ at, text }) => ({
    className: 'flat',
    cells: [milliseconds(at), untrusted(text)],
  }));
  const content = html`${table({ label: 'Notes', columns, rows })}${more}`;
  return { id: 'notes', title: 'Notes', count: all.length, content };
}

// Stages, as bars on a time axis, with the reason for their end.

export function stages(events: readonly LogEvent[]): Section | undefined {
  const all = eventsOf(events, 'stage');
  if (all.length === 0) return undefined;
  const totalMs = spanOf(events);
  const columns = [
    { name: 'Stage', className: 'name' },
    { name: 'Took ms', className: 'number' },
    { name: axis(totalMs), className: 'time' },
    { name: 'Reason for the end', className: 'why' },
  ];
  const label = 'Stages of the job';
  const rows = all.map((stage) => stageRow(stage, totalMs));
  return { id: 'stages', title: 'Stages', content: table({ label, columns, rows }) };
}

function stageRow({ at, text, took, detail }: EventOf<'stage'>, totalMs: number): Row {
  const bar = { from: Math.max(0, at - took), to: at, className: 'stage' };
  return {
    cells: [
      untrusted(text, 200),
      milliseconds(took),
      bars([bar], totalMs),
      untrusted(detail.ended ?? '', 500),
    ],
  };
}

// Findings, with the options that help.

const severityLabels: Readonly<Record<Severity, string>> = {
  error: 'Error',
  warning: 'Warning',
  info: 'Note',
};
const maxFindings = 50;

function findingsSection(findings: readonly Finding[], events: readonly LogEvent[]): Section {
  const content =
    findings.length === 0
      ? html`<p class="calm">${noFindingsSentence(events)}</p>`
      : html`<ul class="findings">
          ${findings.slice(0, maxFindings).map(findingItem)}
        </ul>`;
  return { id: 'findings', title: 'Findings', content };
}

function findingItem({ code, severity, sentence, options }: Finding): Markup {
  const names = options.map((name) => html` <code>${untrusted(name, 60)}</code>`);
  const change = names.length === 0 ? undefined : html`<p class="change">Options: ${names}</p>`;
  return html`<li class="${severity}">
    <p><strong>${severityLabels[severity]}</strong> <small>${code}</small></p>
    <div>
      <p>${untrusted(sentence)}</p>
      ${change}
    </div>
  </li> `;
}

// Options: those in the request, and the defaults in a closed details element.

type OptionFacts = OptionsEvent['detail']['options'];

/** Where the value of an option comes from. */
const origins: Readonly<Record<OptionFacts[number]['from'], string>> = {
  request: 'request',
  default: 'default',
  alias: 'default of --alias',
};

export function options(events: readonly LogEvent[]): Section | undefined {
  const detail = lastOf(events, 'options')?.detail;
  if (detail === undefined) return undefined;
  const given = detail.options.filter(({ from }) => from === 'request');
  const defaults = detail.options.filter(({ from }) => from !== 'request');
  const content = html`<p>
      Input: <code>${detail.input}</code>.${given.length === 0 ? ' The request sets no options.' : ''}
    </p>
    ${given.length === 0 ? undefined : optionTable('Options in the request', given)}
    ${
      defaults.length === 0
        ? undefined
        : html`<details>
            <summary>${defaults.length} defaults</summary>
            ${optionTable('Defaults', defaults)}
          </details>`
    }`;
  return { id: 'options', title: 'Options', count: given.length, content };
}

function optionTable(label: string, shown: OptionFacts): Markup {
  const columns = [
    { name: 'Option', className: 'option' },
    { name: 'Value', className: 'name' },
    { name: 'From', className: 'place' },
  ];
  const rows = shown.map(({ name, value, from }) => ({
    className: 'flat',
    cells: [html`<code>${name}</code>`, html`<div class="said">${untrusted(value)}</div>`, origins[from]],
  }));
  return table({ label, columns, rows });
}

// The header: the job, its outcome, and a picture of the page.

/** Addresses of the same log in other formats. */
export interface LogPageLinks {
  readonly json: string;
  readonly har: string;
}

export function head(events: readonly LogEvent[], links: LogPageLinks | undefined): Markup {
  const job = summaryOf(events);
  const { word, className } = outcome(job);
  const { about } = job;
  return html`<header>
    <div>
      <h1>Debug log <span>${untrusted(job.id, 100)}</span></h1>
      <p class="outcome ${className}"><strong>${word}</strong> ${sentence(job)}</p>
      ${factList([
        [
          'Received',
          about &&
            html`<time datetime="${about.received.slice(0, 40)}">${readableTime(about.received)}</time>`,
        ],
        ['Took', `${milliseconds(job.took)} ms`],
        ['Account', about && untrusted(about.account, 200)],
        ['Tag', about?.tag === undefined ? undefined : untrusted(about.tag, 200)],
        ['Platen', about && untrusted(about.versions.platen, 50)],
        ['Electron', about && untrusted(about.versions.electron, 50)],
        ['Chromium', about && untrusted(about.versions.chromium, 50)],
      ])}
      ${links && html`<p class="links">Download: <a href="${links.json}">JSON</a> <a href="${links.har}">HAR</a></p>`}
    </div>
    ${picture(lastOf(events, 'picture'))}
  </header>`;
}

function outcome({ outcome, failure }: JobSummary): { word: string; className: string } {
  const { status, reason } = failure?.detail ?? {};
  const code = status === undefined ? '' : ` ${status}${reason === undefined ? '' : `.${reason}`}`;
  if (outcome === 'converted') return { word: 'Converted', className: 'good' };
  if (outcome === 'caller gone') return { word: 'Caller disconnected', className: 'open' };
  return outcome === 'failed' || failure !== undefined
    ? { word: `Failed${code}`, className: 'bad' }
    : { word: 'Unfinished', className: 'open' };
}

function sentence({ outcome, failure, pages, bytes: size }: JobSummary): Markup {
  if (failure !== undefined) return html`${untrusted(failure.text)}${stageNote(failure)}`;
  if (outcome === 'converted') {
    const parts = [
      pages === undefined ? '' : `${number(pages)} ${pages === 1 ? 'page' : 'pages'}`,
      size === undefined ? '' : bytes(size),
    ];
    return html`${parts.filter((part) => part !== '').join(', ')}`;
  }
  return outcome === 'unfinished'
    ? html`The job is still running, or the service ended during the job.`
    : html`The caller closed the connection.`;
}

/** Returns undefined if the failure names the stage itself. */
function stageNote({ text, detail: { stage } }: NonNullable<JobSummary['failure']>): Markup | undefined {
  if (namesStage(text)) return undefined;
  const stageName = stage === 'start' ? 'reading the request' : stage;
  return html` <small>Stage: ${untrusted(stageName, 200)}.</small>`;
}

/** `2026-11-21 15:08:46 UTC`. Returns text in another format unchanged. */
function readableTime(iso: string): string {
  return iso.slice(0, 40).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC');
}

function picture(event: PictureEvent | undefined): Markup | undefined {
  if (event === undefined) return undefined;
  const { type, width, height, data } = event.detail;
  return html`<figure>
    <img src="data:${type};base64,${data}" width="${width}" height="${height}" alt="Screenshot of the page" />
    <figcaption>The page before printing</figcaption>
  </figure>`;
}

// Images with a problem, with their natural and displayed sizes.

type ImageFacts = ImagesEvent['detail']['images'][number];

const maxImages = 100;
const problemTexts: Readonly<Record<ImageFacts['problem'], string>> = {
  broken: 'cannot be displayed',
  oversized: 'far more pixels than displayed',
};

export function images(events: readonly LogEvent[]): Section | undefined {
  const all = eventsOf(events, 'images').flatMap(({ detail }) => detail.images);
  if (all.length === 0) return undefined;
  const { first, more } = cutList(all, maxImages);
  const columns = [
    { name: 'Image', className: 'name' },
    { name: 'Problem', className: 'why' },
    { name: 'Natural size', className: 'number' },
    { name: 'Displayed size', className: 'number' },
  ];
  const content = html`${table({ label: 'Images with a problem', columns, rows: first.map(imageRow) })}${more}`;
  return { id: 'images', title: 'Images', count: all.length, content };
}

function imageRow({ url, element, problem, natural, shown }: ImageFacts): Row {
  const own = problem === 'broken' ? '' : pixels(natural);
  return {
    cells: [
      html`${untrusted(url, 300)}<small class="about"><code>${untrusted(element, 200)}</code></small>`,
      problemTexts[problem],
      own,
      pixels(shown),
    ],
  };
}

// Console messages, with positions and stacks.

type ConsoleDetail = ConsoleEvent['detail'];

const maxLines = 400;
const maxMessageLength = 300;

export function consoleLines(events: readonly LogEvent[]): Section | undefined {
  const lines = eventsOf(events, 'console');
  if (lines.length === 0) return undefined;
  const { first, more } = cutList(lines, maxLines);
  const columns = [
    { name: 'At ms', className: 'number' },
    { name: 'Level', className: 'level' },
    { name: 'Message', className: 'name' },
    { name: 'Where', className: 'place' },
  ];
  const content = html`${table({ label: 'Console', columns, rows: first.map(lineRow) })}${more}`;
  return { id: 'console', title: 'Console', count: lines.length, content };
}

function lineRow({ at, text, detail }: EventOf<'console'>): Row {
  const message = html`${messageText(text)} ${stack(detail)}`;
  return {
    className: `flat ${detail.level}`,
    cells: [milliseconds(at), detail.level, message, untrusted(place(detail), 300)],
  };
}

/** Puts the rest of a long message into a closed details element. */
function messageText(text: string): Markup {
  if (text.length <= maxMessageLength) return html`<div class="said">${untrusted(text)}</div>`;
  // Does not cut between the halves of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(maxMessageLength - 1))
    ? maxMessageLength - 1
    : maxMessageLength;
  const first = untrusted(`${text.slice(0, end)}…`);
  const rest = untrusted(`…${text.slice(end)}`);
  return html`<details>
    <summary>
      <span class="said">${first}</span> <small>${number(text.length - end)} more characters</small>
    </summary>
    <div class="said">${rest}</div>
  </details>`;
}

function stack({ stack = [] }: ConsoleDetail): Markup | undefined {
  if (stack.length === 0) return undefined;
  return html`<details>
    <summary>Stack</summary>
    <pre>${untrusted(stack.join('\n'))}</pre>
  </details>`;
}

function place({ source, line, column }: ConsoleDetail): string {
  if (line === 0) return source;
  return `${source}:${[line, ...(column === undefined ? [] : [column])].join(':')}`;
}
