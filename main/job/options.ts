/**
 * THE TABLE of options: each parameter of a conversion, once. Types, validation, `docs/options.md`, the OpenAPI
 * document, the form of the user interface and masking in logs are all made from it.
 * To add an option: one row in its group's file, the line that uses it, one story test.
 */
import type { RowValue } from '../fields/kind.ts';
import { formatRows, logRows } from './options/format.ts';
import { headerFooterRows, stampRows } from './options/header-footer.ts';
import { imageRows } from './options/image.ts';
import { dataRows, inputRows } from './options/input.ts';
import { loadingRows } from './options/loading.ts';
import type { OptionRow } from './options/option-row.ts';
import { fineTuningRows, pageRows } from './options/page.ts';
import { pdfImageRows, pdfRows, viewerRows } from './options/pdf.ts';
import { renderingRows } from './options/rendering.ts';

export type { Group, OptionRow } from './options/option-row.ts';

/** In the order of the documentation. */
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
  ...viewerRows,
  ...fineTuningRows,
  ...imageRows,
  ...logRows,
} as const satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof table;

/** Every option by its wire name. */
export type Options = { readonly [N in OptionName]: RowValue<(typeof table)[N]> };

export const optionNames = Object.keys(table) as OptionName[];
