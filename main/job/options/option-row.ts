/** The type of a row of the option table, and the function that builds the rows of one group. */
import type { Kind } from '../../fields/kinds.ts';

export type Group =
  | 'Input'
  | 'Data'
  | 'Format'
  | 'Page'
  | 'Header and footer'
  | 'Loading'
  | 'Rendering'
  | 'Watermark and background'
  | 'Images in the PDF'
  | 'PDF'
  | 'Viewer'
  | 'Fine tuning'
  | 'Image'
  | 'Log';

export interface OptionRow {
  readonly kind: Kind<unknown>;
  readonly group: Group;
  /** The output that the option affects. */
  readonly output: 'pdf' | 'image' | 'both';
  /** The default as a caller would write it. Without a default, an absent option is off. */
  readonly default?: string;
  /** The default with `--alias pdfcrowd`, when Pdfcrowd's differs from ours. */
  readonly twinDefault?: string;
  /** One or two sentences for the caller. */
  readonly says: string;
  /** Logs mask the value. */
  readonly secret?: true;
  /** The value is a document, data or a script: logs show its length instead. */
  readonly content?: true;
  /** Other names of the same field. */
  readonly aliases?: readonly string[];
  /** Pdfcrowd has no such parameter. */
  readonly own?: true;
  /** What Pdfcrowd supports here and Platen does not. */
  readonly limits?: string;
  /** Why the option is accepted but changes nothing. The debug log says so, and x-service-notes counts it. */
  readonly withoutEffect?: string;
}

type GroupedRow = Omit<OptionRow, 'group' | 'output'> & Partial<Pick<OptionRow, 'output'>>;

/** The rows, completed with the group and, where a row names no output, with the output of the group. */
type InGroup<R, G, O> = {
  readonly [N in keyof R]: Omit<{ readonly group: G; readonly output: O }, keyof R[N]> & R[N];
};

/** Completes the rows of one group. Each affects `output` unless the row names another one. */
export function inGroup<
  const G extends Group,
  const O extends OptionRow['output'],
  const R extends Readonly<Record<string, GroupedRow>>,
>(group: G, output: O, rows: R): InGroup<R, G, O> {
  const complete = Object.entries(rows).map(([name, row]) => [name, { group, output, ...row }]);
  return Object.fromEntries(complete) as InGroup<R, G, O>;
}
