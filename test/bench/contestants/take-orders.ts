/** Executes orders in a contestant's program, with no overhead beyond a loop. Runs in that program. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Wanted } from '../documents/document.ts';
import { runLap, type Lap } from '../lap.ts';
import type { Answer, Order, OrderedDocument } from './orders.ts';

export interface Task {
  readonly html: string;
  /** The URL to load it from. */
  readonly url: string;
  readonly wanted: Wanted;
}

/** A window, a page, or another unit that works in parallel. */
export type Worker = (task: Task) => Promise<Uint8Array>;

/** Reports that the program is ready; `workersFor` returns the workers for a document. */
export function takeOrders(
  workersFor: (document: OrderedDocument) => Promise<readonly Worker[]>,
  url?: string,
): void {
  process.on('message', (order: Order) => {
    carryOut(order, workersFor).then((lap) => {
      reply({ kind: 'lap', lap });
    }, tellProblem);
  });
  reply({ kind: 'ready', ...(url !== undefined && { url }) });
}

export function tellProblem(problem: unknown): void {
  const message = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  reply({ kind: 'problem', problem: message });
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
    if (bytes === undefined || bytes.length === 0) throw new Error('the output is empty');
    return bytes;
  };
  if (output !== undefined) writeFileSync(output, await convert(0));
  if (load === undefined) return { times: [], took: 0 };
  // More callers than workers would need a queue, and a loop has none.
  return await runLap(convert, { ...load, callers: Math.min(load.callers, workers.length) });
}

function reply(answer: Answer): void {
  process.send?.(answer);
}
