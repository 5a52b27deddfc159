/**
 * The table of options, with one row for each parameter of a conversion. Types, validation, `docs/options.md`, the OpenAPI
 * document, the form in the console and masking in logs are derived from this table.
 * To add an option, add a row to the file of its group, the line that uses it, and a test.
 */
import type { RowValue } from '../fields/kinds.ts';
import { formatRows, logRows, imageRows } from './options/output.ts';
import { headerFooterRows, stampRows } from './options/header-footer.ts';
import { dataRows, inputRows } from './options/input.ts';
import { loadingRows } from './options/loading.ts';
import type { OptionRow } from './options/option-row.ts';
import { fineTuningRows, pageRows } from './options/page.ts';
import { attachmentRows, pdfImageRows, pdfRows, signatureRows, viewerRows } from './options/pdf.ts';
import { renderingRows } from './options/rendering.ts';

export type { OptionGroup, OptionRow } from './options/option-row.ts';

/** The rows, in the order of the documentation. */
export const table = {
  ...inputRows,
  ...dataRows,
  ...formatRows,
  ...pageRows,
  ...headerFooterRows,
  ...loadingRows,
  ...renderingRows,
  ...stampRows,
  ...pdfImageRows,
  ...pdfRows,
  ...attachmentRows,
  ...signatureRows,
  ...viewerRows,
  ...fineTuningRows,
  ...imageRows,
  ...logRows,
} as const satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof table;

/** The value of every option, by its name in requests. */
export type Options = { readonly [N in OptionName]: RowValue<(typeof table)[N]> };

export const optionNames = Object.keys(table) as OptionName[];
