/** A row of the option table: everything that is known of one parameter of a conversion. */
import type { Kind } from '../../fields/kind.ts';

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
  /** The output it has an effect on. */
  readonly output: 'pdf' | 'image' | 'both';
  /** As a caller would write it; an option without one is off when absent. */
  readonly default?: string;
  /** Its default with `--alias pdfcrowd`, where programs written for the public twin expect another one. */
  readonly twinDefault?: string;
  /** One or two sentences for whoever writes the request. */
  readonly says: string;
  /** Its value is masked wherever it could be logged. */
  readonly secret?: true;
  /** Its value is a document, data or a program: logs give its length. */
  readonly content?: true;
  /** Other names of the same field. */
  readonly aliases?: readonly string[];
  /** It is not among the parameters of the public twin. */
  readonly own?: true;
  /** What programs written for the public twin may expect of it and do not get. */
  readonly limits?: string;
  /** Accepted, and why it changes nothing; said in the debug log and counted in x-service-notes. */
  readonly withoutEffect?: string;
}

type Facts = Omit<OptionRow, 'group' | 'output'> & Partial<Pick<OptionRow, 'output'>>;

/** A row's own facts, with those of its group that it does not give itself. */
type InGroup<R, G, O> = {
  readonly [N in keyof R]: Omit<{ readonly group: G; readonly output: O }, keyof R[N]> & R[N];
};

/** The rows of one group, which have an effect on one output unless they say otherwise. */
export function inGroup<
  const G extends Group,
  const O extends OptionRow['output'],
  const R extends Readonly<Record<string, Facts>>,
>(group: G, output: O, rows: R): InGroup<R, G, O> {
  const complete = Object.entries(rows).map(([name, row]) => [name, { group, output, ...row }]);
  return Object.fromEntries(complete) as InGroup<R, G, O>;
}
