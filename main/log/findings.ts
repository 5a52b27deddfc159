/** What explains a job's result, found in its events: a pure function, so that old logs profit from what it learns. */
import type { LogEvent } from './events.ts';
import { encodingFindings } from './findings/encoding.ts';
import { byWeight, type Finding } from './findings/finding.ts';
import { fontFindings } from './findings/fonts.ts';
import { imageFindings } from './findings/images.ts';
import { layoutFindings } from './findings/layout.ts';
import { networkFindings } from './findings/network.ts';
import { noteFindings } from './findings/notes.ts';
import { outcomeFindings } from './findings/outcome.ts';
import { scriptFindings } from './findings/scripts.ts';

/** One for each cause, not for each event; what weighs most comes first. */
export function findingsOf(events: readonly LogEvent[]): Finding[] {
  const derived = [
    networkFindings,
    scriptFindings,
    encodingFindings,
    fontFindings,
    imageFindings,
    layoutFindings,
  ].flatMap((find) => find(events));
  return byWeight([...outcomeFindings(events, derived), ...derived, ...noteFindings(events, derived)]);
}
