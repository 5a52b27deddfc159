/** Handles the benchmark's IPC requests in the program of a candidate. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { ExpectedOutput } from '../documents/document.ts';
import { runLap, type Lap } from '../lap.ts';
import type { Reply, ProgramRequest, RequestedDocument } from './ipc-messages.ts';

export interface Task {
  readonly html: string;
  /** The URL to load the document from. */
  readonly url: string;
  readonly marksReady: boolean;
  readonly expected: ExpectedOutput;
}

/** Converts one document at a time, in a window, page or process. Several workers run in parallel. */
export type Worker = (task: Task) => Promise<Uint8Array>;

/** Handles requests, and reports that the program is ready. @param workersFor Returns the workers that convert a document. */
export function serveRequests(
  workersFor: (document: RequestedDocument) => Promise<readonly Worker[]>,
  url?: string,
): void {
  process.on('message', (runRequest: ProgramRequest) => {
    handleRequest(runRequest, workersFor).then((lap) => {
      sendReply({ kind: 'lap', lap });
    }, replyWithProblem);
  });
  sendReply({ kind: 'ready', ...(url !== undefined && { url }) });
}

export function replyWithProblem(problem: unknown): void {
  const message = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  sendReply({ kind: 'problem', problem: message });
}

async function handleRequest(
  { document, load, output }: ProgramRequest,
  workersFor: (document: RequestedDocument) => Promise<readonly Worker[]>,
): Promise<Lap> {
  const workers = await workersFor(document);
  const { file, url, marksReady, expected } = document;
  const task = { html: readFileSync(file, 'utf8'), url, marksReady, expected };
  const convert = async (caller: number) => {
    const bytes = await workers[caller]?.(task);
    if (bytes === undefined || bytes.length === 0) throw new Error('the output is empty');
    return bytes;
  };
  if (output !== undefined) writeFileSync(output, await convert(0));
  if (load === undefined) return { times: [], took: 0 };
  // Each worker converts one document at a time, and there is no queue, so there cannot be more callers than workers.
  return await runLap(convert, { ...load, callers: Math.min(load.callers, workers.length) });
}

function sendReply(reply: Reply): void {
  process.send?.(reply);
}
