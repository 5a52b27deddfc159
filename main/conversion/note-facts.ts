/** What an answer says about the warnings of its job. */
import type { DebugLog } from '../log/debug-log.ts';
import type { FindingCode } from '../log/finding-codes.ts';

export interface NoteFacts {
  /** The number of warnings and errors. */
  readonly notes: number;
  /** Their codes, each once, the most severe first. Absent for an output that was stored by an earlier version. */
  readonly noteCodes?: readonly FindingCode[];
}

/** Returns the facts about a document that consists of others, or contains them. */
export function noteFactsOfAll(documents: readonly NoteFacts[]): Required<NoteFacts> {
  const codes = documents.flatMap(({ noteCodes = [] }) => noteCodes);
  return { notes: documents.reduce((sum, { notes }) => sum + notes, 0), noteCodes: [...new Set(codes)] };
}

export function noteFactsOf({ warnings }: Pick<DebugLog, 'warnings'>): Required<NoteFacts> {
  return { notes: warnings.length, noteCodes: [...new Set(warnings.map(({ code }) => code))] };
}
