/**
 * Prints the headers or the footers of all pages: each as a page of its own, as large as the strip of paper it is for.
 * They are laid over the body afterwards. What runs no script is laid out once and copied for each page; what runs some
 * gets a document of its own for each page. Either is printed in portions.
 */
import { notProduced } from '../../engine/browser-fault.ts';
import type { WindowRun } from '../../engine/engine.ts';
import { runInPage } from '../../engine/in-page.ts';
import { withProgram } from '../../engine/page-program.ts';
import { loadDocument, settleDocument } from '../../engine/load-document.ts';
import type { EngineWindow } from '../../engine/window.ts';
import type { Inches } from '../../fields/measures.ts';
import { pixelsPerInch } from '../../job/layout.ts';
import type { Side } from '../../job/paper.ts';
import { inspect } from '../reading/inspect.ts';
import type * as strip from '../../engine/programs/strip.ts';
import type { Box, Copies, CopiesLaidOut, Excess, StripFacts } from '../../engine/programs/strip.ts';
import { noteExcess } from './note-excess.ts';
import { framesDocument, stripDocument, type StripHtml } from './strip-document.ts';
import { formatsIn, stripFacts, type DocumentFacts } from './strip-facts.ts';

export interface StripsWanted {
  readonly side: Side;
  readonly strip: StripHtml;
  /** Pages of the output that show it, from 1. */
  readonly pages: readonly number[];
  readonly document: DocumentFacts;
  readonly width: Inches;
  readonly height: Inches;
  /** header_footer_scale_factor as a factor. */
  readonly scale: number;
}

/** Printed strips: the n-th page of the PDF is for the n-th of these pages of the output. */
export interface PrintedStrips {
  readonly pdf: Buffer;
  readonly pages: readonly number[];
}

/** A print costs the square of its number of pages, of layers and of frames. */
const portion = 100;
/** Chromium's own limit; what is larger is scaled up as it is laid on the page. */
const largestScale = 2;
/** A fraction of a pixel more would begin another page. */
const rounding = 0.04;

interface Printing {
  readonly window: EngineWindow;
  readonly run: WindowRun;
  readonly wanted: StripsWanted;
  readonly facts: readonly StripFacts[];
  readonly box: Box;
}

/** @throws what loading and printing throw */
export async function printStrips(
  window: EngineWindow,
  wanted: StripsWanted,
  run: WindowRun,
): Promise<PrintedStrips[]> {
  const { strip, pages, document, scale } = wanted;
  const formats = formatsIn(strip.html);
  const facts = pages.map((page) => stripFacts(page, document, formats));
  const width = (wanted.width * pixelsPerInch) / scale;
  const height = (wanted.height * pixelsPerInch) / scale - rounding;
  // What never arrives must not take the time of the whole job.
  const options = { ...run.job.options, max_loading_time: undefined };
  const hurried = { ...run, job: { ...run.job, options }, limit: run.limit / 4 };
  const printing = { window, run: hurried, wanted, facts, box: { width, height } };
  return strip.scripts ? printFrames(printing) : printCopies(printing);
}

async function printCopies(printing: Printing): Promise<PrintedStrips[]> {
  const { window, run, wanted, box } = printing;
  const document = stripDocument(wanted.strip);
  await loadDocument(window, document, run);
  let guarded = false;
  const layOut = async (pages: readonly StripFacts[]) => {
    const copies: Copies = { pages, prefixes: run.prefixes, box, guarded };
    const laidOut = await runProgram<CopiesLaidOut>(window, 'layOutCopies', copies);
    // What asks for nothing waits for nothing.
    if (wanted.strip.inert !== true) await settleDocument(window, document, run);
    return laidOut;
  };
  return inPortions(printing, async (part) => {
    const { excess, positioned } = await layOut(part);
    if (!guarded && excess.height === 0 && !positioned) {
      const pdf = await print(printing);
      if ((await inspect(pdf)).pages === part.length) return { pdf, excess };
    }
    if (!guarded) {
      guarded = true;
      await layOut(part);
    }
    return { pdf: await print(printing), excess };
  });
}

async function printFrames(printing: Printing): Promise<PrintedStrips[]> {
  const { window, run, wanted, box } = printing;
  return inPortions(printing, async (part) => {
    const { source, addresses } = framesDocument(wanted.strip, part, run.prefixes);
    await loadDocument(window, source, run);
    await runProgram(window, 'layOutFrames', { addresses, box, patience: run.limit / 2 });
    const excess = await runProgram<Excess>(window, 'settleFrames', run.limit / 4);
    return { pdf: await print(printing), excess };
  });
}

interface Portion {
  readonly pdf: Buffer;
  readonly excess: Excess;
}

async function inPortions(
  { run, wanted, facts }: Printing,
  printPortion: (part: readonly StripFacts[]) => Promise<Portion>,
): Promise<PrintedStrips[]> {
  const printed: PrintedStrips[] = [];
  let [height, width] = [0, 0];
  for (let from = 0; from < facts.length; from += portion) {
    run.signal.throwIfAborted();
    const { pdf, excess } = await printPortion(facts.slice(from, from + portion));
    [height, width] = [Math.max(height, excess.height), Math.max(width, excess.width)];
    printed.push({ pdf, pages: wanted.pages.slice(from, from + portion) });
  }
  noteExcess(run, wanted, { height, width });
  return printed;
}

async function runProgram<T = void>(
  { contents }: EngineWindow,
  name: keyof typeof strip,
  parameter: unknown,
): Promise<T> {
  const code = await withProgram('strip', `program.${name}(${JSON.stringify(parameter)})`);
  return await runInPage(contents, code);
}

function print({ window, run, wanted }: Printing): Promise<Buffer> {
  const { width, height, scale } = wanted;
  const reached = Math.min(scale, largestScale);
  const paper = { width: (width * reached) / scale, height: (height * reached) / scale };
  const margins = { top: 0, right: 0, bottom: 0, left: 0 };
  const { no_background: noBackground } = run.job.options;
  return window.print({ paper, margins, scale: reached, noBackground }).catch((cause: unknown) => {
    throw notProduced(`The ${wanted.side} is too large or too complex to print.`, cause);
  });
}
