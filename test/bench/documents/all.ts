/** Creates the documents of the benchmark by name. */
import type { BenchDocument } from './document.ts';
import { application } from './application.ts';
import { brochure, filledStatement, inlineBrochure, statement } from './inputs.ts';
import { fiveThousand, longTable, manual, referencedManual, thousand, thousandNumbered } from './long.ts';
import { archivedInvoice, invoice, letter, logged, site } from './office.ts';
import { archivedImages, images, screenshot, servedImages, tall } from './images.ts';
import { chart, report } from './report.ts';

const makers: Readonly<Record<string, () => BenchDocument | Promise<BenchDocument>>> = {
  letter,
  'letter-logged': () => logged(letter()),
  invoice,
  archived: archivedInvoice,
  site,
  application,
  report,
  'report-logged': () => logged(report()),
  chart,
  manual,
  referenced: referencedManual,
  table: longTable,
  thousand,
  'thousand-numbered': thousandNumbered,
  'five-thousand': fiveThousand,
  brochure,
  'brochure-inline': inlineBrochure,
  statement,
  'statement-filled': filledStatement,
  images,
  'images-archive': archivedImages,
  'images-site': servedImages,
  screenshot,
  tall,
};

export const documentNames: readonly string[] = Object.keys(makers);

/** Returns a document, with the same bytes in every run. @throws Error with the known names if the name is unknown */
export async function makeDocument(name: string): Promise<BenchDocument> {
  const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
  if (make === undefined)
    throw new Error(`there is no document '${name}'; known documents: ${documentNames.join(', ')}`);
  return await make();
}
