/** The top of the page: whose log it is, how the job ended, and what the page looked like. */
import type { LogEvent, PictureEvent } from '../events.ts';
import { namesStage } from '../findings/outcome.ts';
import { summaryOf, type JobSummary } from '../job-summary.ts';
import { lastOf } from '../select-events.ts';
import { bytes, milliseconds, number } from './figures.ts';
import { foreign, html, type Markup } from './markup.ts';
import { factList } from './section.ts';

/** Where the same log can be had for programs. */
export interface Links {
  readonly json: string;
  readonly har: string;
}

export function head(events: readonly LogEvent[], links: Links | undefined): Markup {
  const job = summaryOf(events);
  const { word, look } = outcome(job);
  const { about } = job;
  return html`<header>
    <div>
      <h1>Debug log <span>${foreign(job.id, 100)}</span></h1>
      <p class="outcome ${look}"><strong>${word}</strong> ${sentence(job)}</p>
      ${factList([
        [
          'Received',
          about && html`<time datetime="${about.received.slice(0, 40)}">${readable(about.received)}</time>`,
        ],
        ['Took', `${milliseconds(job.took)} ms`],
        ['Account', about && foreign(about.account, 200)],
        ['Tag', about?.tag === undefined ? undefined : foreign(about.tag, 200)],
        ['Platen', about && foreign(about.versions.platen, 50)],
        ['Electron', about && foreign(about.versions.electron, 50)],
        ['Chromium', about && foreign(about.versions.chromium, 50)],
      ])}
      ${links && html`<p class="links">For programs: <a href="${links.json}">JSON</a> <a href="${links.har}">HAR of the network</a></p>`}
    </div>
    ${picture(lastOf(events, 'picture'))}
  </header>`;
}

function outcome({ outcome, failure }: JobSummary): { word: string; look: string } {
  const { status, reason } = failure?.detail ?? {};
  const code = status === undefined ? '' : ` ${status}${reason === undefined ? '' : `.${reason}`}`;
  if (outcome === 'converted') return { word: 'Converted', look: 'good' };
  if (outcome === 'caller gone') return { word: 'Caller gone', look: 'open' };
  return outcome === 'failed' || failure !== undefined
    ? { word: `Failed${code}`, look: 'bad' }
    : { word: 'Without an end', look: 'open' };
}

function sentence({ outcome, failure, pages, bytes: size }: JobSummary): Markup {
  if (failure !== undefined) return html`${foreign(failure.text)}${stageOf(failure)}`;
  if (outcome === 'converted') {
    const parts = [
      pages === undefined ? '' : `${number(pages)} ${pages === 1 ? 'page' : 'pages'}`,
      size === undefined ? '' : bytes(size),
    ];
    return html`${parts.filter((part) => part !== '').join(', ')}`;
  }
  return outcome === 'unfinished'
    ? html`The job is still running, or it ended together with the service.`
    : html`Nobody waited for the answer any longer.`;
}

/** Unless it is said already. */
function stageOf({ text, detail: { stage } }: NonNullable<JobSummary['failure']>): Markup | undefined {
  if (namesStage(text)) return undefined;
  const under = stage === 'start' ? 'reading the request' : stage;
  return html` <small>While: ${foreign(under, 200)}.</small>`;
}

/** `2026-11-21 15:08:46 UTC`, whatever else comes as it is. */
function readable(iso: string): string {
  return iso.slice(0, 40).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC');
}

function picture(event: PictureEvent | undefined): Markup | undefined {
  if (event === undefined) return undefined;
  const { type, width, height, data } = event.detail;
  return html`<figure>
    <img src="data:${type};base64,${data}" width="${width}" height="${height}" alt="The page, small" />
    <figcaption>As it stood before it was printed</figcaption>
  </figure>`;
}
