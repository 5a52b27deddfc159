/** The type of a row of the option table, and the function that builds the rows of one group. */
import type { Kind } from '../../fields/kinds.ts';

export type OptionGroup =
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
  | 'Attachments'
  | 'Signature'
  | 'Viewer'
  | 'Fine tuning'
  | 'Image'
  | 'Log';

export interface OptionRow {
  readonly kind: Kind<unknown>;
  readonly group: OptionGroup;
  /** The output that the option affects. */
  readonly output: 'pdf' | 'image' | 'both';
  /** The default as a caller would write it. Without a default, an absent option is off. */
  readonly default?: string;
  /** The default with `--alias pdfcrowd`, if Pdfcrowd's default differs from Platen's. */
  readonly pdfcrowdDefault?: string;
  /** One or two sentences for the caller. */
  readonly description: string;
  /** Whether logs mask the value. */
  readonly secret?: true;
  /** Whether the value is a document, data or a script. Logs show only its length. */
  readonly content?: true;
  /** Whether the field may be sent several times. The value of the option is the list of the values in their order. */
  readonly isRepeatable?: boolean;
  /** Other names of the same field. */
  readonly aliases?: readonly string[];
  /** Whether the option is an extension: Pdfcrowd has no such parameter. */
  readonly isExtension?: true;
  /** The part of Pdfcrowd's behaviour that Platen does not support. */
  readonly limitations?: string;
  /** Why the option is accepted but changes nothing. The debug log contains a note with this reason; x-service-notes counts it. */
  readonly noEffectReason?: string;
}

type GroupedRow = Omit<OptionRow, 'group' | 'output'> & Partial<Pick<OptionRow, 'output'>>;

/** The rows with their group. A row without `output` has the output of the group. */
type GroupRows<R, G, O> = {
  readonly [N in keyof R]: Omit<{ readonly group: G; readonly output: O }, keyof R[N]> & R[N];
};

/** Adds `group` to each row, and `output` to each row that has no output. */
export function optionGroup<
  const G extends OptionGroup,
  const O extends OptionRow['output'],
  const R extends Readonly<Record<string, GroupedRow>>,
>(group: G, output: O, rows: R): GroupRows<R, G, O> {
  const complete = Object.entries(rows).map(([name, row]) => [name, { group, output, ...row }]);
  return Object.fromEntries(complete) as GroupRows<R, G, O>;
}
