/** Creates the documents of the benchmark by name. */
import type { BenchDocument } from './document.ts';
import { longTable, manual, referencedManual, thousand, thousandNumbered } from './long.ts';
import { archivedInvoice, invoice, letter, site } from './office.ts';
import { images, screenshot, tall } from './images.ts';
import { chart, report } from './report.ts';

const makers: Readonly<Record<string, () => BenchDocument | Promise<BenchDocument>>> = {
  letter,
  invoice,
  archived: archivedInvoice,
  site,
  report,
  chart,
  manual,
  referenced: referencedManual,
  table: longTable,
  thousand,
  'thousand-numbered': thousandNumbered,
  images,
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
