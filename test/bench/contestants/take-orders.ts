/** A contestant's own program carries out orders, with no more between it and its work than a loop. Runs in that program. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Wanted } from '../documents/document.ts';
import { runLap, type Lap } from '../lap.ts';
import type { Answer, Order, OrderedDocument } from './orders.ts';

export interface Task {
  readonly html: string;
  /** Where it is loaded from. */
  readonly url: string;
  readonly wanted: Wanted;
}

/** One of a program's windows, pages or whatever works at once. */
export type Worker = (task: Task) => Promise<Uint8Array>;

/** Tells that the program is ready; `workersFor` gives those that are to do a document. */
export function takeOrders(
  workersFor: (document: OrderedDocument) => Promise<readonly Worker[]>,
  url?: string,
): void {
  process.on('message', (order: Order) => {
    carryOut(order, workersFor).then((lap) => {
      tell({ kind: 'lap', lap });
    }, tellProblem);
  });
  tell({ kind: 'ready', ...(url !== undefined && { url }) });
}

export function tellProblem(problem: unknown): void {
  const said = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  tell({ kind: 'problem', problem: said });
}

async function carryOut(
  { document, load, output }: Order,
  workersFor: (document: OrderedDocument) => Promise<readonly Worker[]>,
): Promise<Lap> {
  const workers = await workersFor(document);
  const { file, url, wanted } = document;
  const task = { html: readFileSync(file, 'utf8'), url, wanted };
  const convert = async (caller: number) => {
    const bytes = await workers[caller]?.(task);
    if (bytes === undefined || bytes.length === 0) throw new Error('nothing came out');
    return bytes;
  };
  if (output !== undefined) writeFileSync(output, await convert(0));
  if (load === undefined) return { times: [], took: 0 };
  // More callers than workers would be a queue, which a loop has not.
  return await runLap(convert, { ...load, callers: Math.min(load.callers, workers.length) });
}

function tell(answer: Answer): void {
  process.send?.(answer);
}
