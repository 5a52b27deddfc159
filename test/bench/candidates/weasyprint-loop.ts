/** Converts with WeasyPrint in Python processes that stay open. A separate program, so that its CPU time includes theirs. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { paper } from '../documents/document.ts';
import { serveRequests, type Worker } from './ipc-worker.ts';
import { pythonVariable, workersVariable } from './process-start.ts';

/** Reads a JSON line for each document, and answers with an empty line or an error. */
const python = `
import json, sys
from weasyprint import CSS, HTML
sheet = CSS(string='@page { size: A4; margin: ${paper.margin}in }')
for line in sys.stdin:
    file, output = json.loads(line)
    try:
        HTML(filename=file).write_pdf(output, stylesheets=[sheet])
        print('', flush=True)
    except Exception as problem:
        print(repr(problem), flush=True)
`;

const workers = Array.from({ length: Number(process.env[workersVariable]) }, (_, number) =>
  openWorker(number),
);
process.once('disconnect', () => process.exit(0));
serveRequests(() => Promise.resolve(workers));

function openWorker(number: number): Worker {
  const child = spawn(process.env[pythonVariable] ?? '', ['-c', python], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async ({ url }) => {
    const file = fileURLToPath(url);
    const output = `${file}.${number}.pdf`;
    child.stdin.write(`${JSON.stringify([file, output])}\n`);
    const reply: IteratorResult<string, unknown> = await replies.next();
    if (reply.done === true) throw new Error('Python has ended');
    if (reply.value !== '') throw new Error(`WeasyPrint: ${reply.value}`);
    return await readFile(output);
  };
}
