/** Renders a debug log for its readers: as a page, as JSON, as HAR, as the recipe of the document, and for the console. */
import { debugLogPage } from './log-page.ts';
import type { LogEvent } from './events.ts';
import { findingsOf } from './findings.ts';
import type { Finding } from './findings/finding.ts';
import { harOf } from './har.ts';
import { summaryOf, type JobSummary } from './job-summary.ts';
import { recipeOf } from './recipe.ts';

export type LogFormat = 'html' | 'json' | 'har' | 'recipe.json' | 'console';

export interface LogView {
  readonly format: LogFormat;
  /** The address of the log, for the links of the page; absent for a page that is saved as a file. */
  readonly link?: string;
}

export interface RenderedLog {
  /** The id of the job. */
  readonly job: string;
  /** UTF-8; undefined if the job delivered no document and therefore has no recipe. */
  readonly body: Uint8Array | undefined;
}

/** The JSON of the format `console`. */
export interface ConsoleLog {
  readonly summary: JobSummary;
  readonly findings: readonly Finding[];
  /** The first events, so that the console gets at most about a megabyte. */
  readonly events: readonly LogEvent[];
}

export function renderLog(lines: Buffer, view: LogView): RenderedLog {
  const events = eventsIn(lines);
  const text = renderers[view.format](events, view.link);
  return { job: summaryOf(events).id, body: text === undefined ? undefined : Buffer.from(text, 'utf8') };
}

const renderers: Readonly<
  Record<LogFormat, (events: readonly LogEvent[], link: string | undefined) => string | undefined>
> = {
  // The links are absolute, so that they also work in a saved page.
  html: (events, link) =>
    debugLogPage(
      events,
      link === undefined
        ? undefined
        : { json: `${link}.json`, har: `${link}.har`, recipe: `${link}.recipe.json` },
    ),
  json: (events) => JSON.stringify(debugLogJson(events)),
  har: (events) => JSON.stringify(harOf(events)),
  'recipe.json': (events) => {
    const recipe = recipeOf(events);
    // Indented, because people keep recipes and read them.
    return recipe && `${JSON.stringify(recipe, undefined, 2)}\n`;
  },
  console: (events) => JSON.stringify(consoleLog(events)),
};

export function eventsIn(lines: Buffer): LogEvent[] {
  // The last line may be incomplete while the log is being written, or after a crash.
  return lines
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogEvent);
}

function debugLogJson(events: readonly LogEvent[]): object {
  const { id, jobDetail, outcome, failure } = summaryOf(events);
  return {
    job: { id, ...jobDetail },
    outcome,
    ...(failure && { failure: { message: failure.text, ...failure.detail } }),
    findings: findingsOf(events),
    events,
  };
}

const maxConsoleCharacters = 1_000_000;

function consoleLog(events: readonly LogEvent[]): ConsoleLog {
  let characters = 0;
  const shown = events.filter((event) => {
    characters += JSON.stringify(event).length;
    return characters <= maxConsoleCharacters;
  });
  return { summary: summaryOf(events), findings: findingsOf(events), events: withNote(shown, events.length) };
}

/** Adds a note if the console does not show all events. */
function withNote(shown: readonly LogEvent[], total: number): readonly LogEvent[] {
  if (shown.length === total) return shown;
  const text = `The console shows the first ${shown.length} of ${total} events. Open the debug log in a browser to see all of them.`;
  return [...shown, { at: shown.at(-1)?.at ?? 0, kind: 'note', text, detail: {} }];
}
