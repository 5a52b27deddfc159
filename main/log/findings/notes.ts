/** Notes that are findings already: whoever wrote them knew what they mean. */
import type { FindingCode } from '../finding-codes.ts';
import type { LogEvent } from '../events.ts';
import { summaryOf } from '../job-summary.ts';
import { eventsOf } from '../select-events.ts';
import { finding, type Finding } from './finding.ts';
import { groupedBy } from './grouped-by.ts';
import { counted } from './phrases.ts';

/** Of one code. */
const most = 5;

const late: ReadonlySet<FindingCode> = new Set(['late-resources', 'late-changes']);

/** Leaves out what `derived` says already, and what would be missing in a result that there is not. */
export function noteFindings(events: readonly LogEvent[], derived: readonly Finding[]): Finding[] {
  const failed = summaryOf(events).failure !== undefined;
  const coded = eventsOf(events, 'note').flatMap(({ text, detail: { code, options = [] } }) =>
    code === undefined || (failed && late.has(code)) ? [] : [finding(code, text, { options })],
  );
  const known = new Set(derived.map(identity));
  const fresh = coded.filter((note) => !known.has(identity(note)));
  return [...groupedBy(fresh, ({ code }) => code)].flatMap(([code, notes]) => cut(code, different(notes)));
}

/** The same cause, told by a request and by a note. */
function identity({ code, options }: Finding): string {
  return `${code} ${options.join(' ')}`;
}

function different(notes: readonly Finding[]): Finding[] {
  return [...new Map(notes.map((note) => [note.sentence, note])).values()];
}

function cut(code: FindingCode, notes: readonly Finding[]): Finding[] {
  if (notes.length <= most) return [...notes];
  const rest = counted(notes.length - most, 'more note');
  return [...notes.slice(0, most), finding(code, `${rest} of this kind: see the notes.`)];
}
