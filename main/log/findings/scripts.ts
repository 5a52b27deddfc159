/** What the console explains: scripts that stopped, and errors that pages report themselves. */
import type { LogEvent } from '../events.ts';
import { eventsOf, type EventOf } from '../select-events.ts';
import { finding, type Finding } from './finding.ts';
import { groupedBy } from './grouped-by.ts';
import { address, counted, listed, short } from './phrases.ts';

type Line = EventOf<'console'>;

/** Chromium's own words on requests that failed or were refused, which have findings of their own. */
const onRequest = /^(Failed to load resource\b|Access to .* has been blocked by CORS policy)/;

/** Options whose value is a script or a document of the caller's own. */
const ownScripts = ['on_load_javascript', 'custom_javascript', 'header_html', 'footer_html'];

export function scriptFindings(events: readonly LogEvent[]): Finding[] {
  const lines = eventsOf(events, 'console');
  const thrown = groupedBy(
    lines.filter(({ detail }) => detail.level === 'exception'),
    identity,
  );
  const reported = groupedBy(
    lines.filter(({ text, detail }) => detail.level === 'error' && !onRequest.test(text)),
    identity,
  );
  return [
    ...(thrown.size > 0 ? [stopped([...thrown.values()])] : []),
    ...(reported.size > 0 ? [complained([...reported.values()])] : []),
  ];
}

function identity({ text, detail: { source, line, column = 0 } }: Line): string {
  return `${source} ${line} ${column} ${text}`;
}

function stopped(groups: readonly Line[][]): Finding {
  const count = counted(groups.length, 'script error');
  const sentence = `${count} that nothing caught; what the script had still to do was not done: ${listed(groups, described)}.`;
  const options = ownScripts.filter((option) =>
    groups.some(([line]) => isOf(option, line?.detail.source ?? '')),
  );
  return finding('script-error', sentence, { options });
}

/** A header or footer with scripts is a document for each page: `footer_html (page 2)`. */
function isOf(option: string, source: string): boolean {
  return source === option || source.startsWith(`${option} (`);
}

/** What a page says itself may mean nothing. */
function complained(groups: readonly Line[][]): Finding {
  const sentence = `The page reports ${counted(groups.length, 'error')} in its console: ${listed(groups, described)}.`;
  return finding('script-error', sentence, { severity: 'warning' });
}

function described([line, ...same]: readonly Line[]): string {
  if (line === undefined) return '';
  const times = same.length === 0 ? '' : ` (${counted(same.length + 1, 'time')})`;
  return `“${short(line.text, 200)}”${place(line.detail)}${times}`;
}

function place({ source, line, column }: Line['detail']): string {
  if (source === '') return '';
  if (line === 0) return ` at ${address(source)}`;
  return ` at ${address(source)}:${column === undefined ? line : `${line}:${column}`}`;
}
