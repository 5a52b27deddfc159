/** Controls a candidate that runs in a separate program: sends requests and receives timings over IPC. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { urlOf } from '../documents/document-server.ts';
import type { BenchDocument } from '../documents/document.ts';
import type { Lap } from '../lap.ts';
import type { Candidate } from './candidate.ts';
import type { Reply, ProgramRequest, RequestedDocument } from './ipc-messages.ts';

export interface CandidateProgram extends AsyncDisposable {
  readonly pid: number;
  /** The URL of the program, if it is a server. */
  readonly url: string | undefined;
  /** Await each reply before the next request. @throws Error if the request fails */
  readonly request: (runRequest: ProgramRequest) => Promise<Lap>;
}

/** How long a program may take to end after its IPC channel closes, before it is killed. */
const timeoutMs = 10_000;

/** Resolves when the program is ready. The program ends when its IPC channel closes, so it never outlives this process. */
export async function openProgram(child: ChildProcess): Promise<CandidateProgram> {
  const ready = await nextReply(child);
  return {
    pid: child.pid ?? 0,
    url: ready.kind === 'ready' ? ready.url : undefined,
    async request(runRequest) {
      const pendingReply = nextReply(child);
      child.send(runRequest);
      const reply = await pendingReply;
      if (reply.kind === 'lap') return reply.lap;
      throw new Error(`unexpected reply '${reply.kind}' to a request`);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      if (child.connected) child.disconnect();
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Resolves with the next message of the program. @throws Error if the program reports a problem or ends first */
function nextReply(child: ChildProcess): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null, signal: string | null) => {
      reject(new Error(`${child.spawnfile} ended with ${signal ?? String(code)}`));
    };
    child.once('error', reject);
    child.once('exit', onExit);
    child.once('message', (reply: Reply) => {
      child.off('exit', onExit);
      child.off('error', reject);
      if (reply.kind === 'problem') reject(new Error(reply.problem));
      else resolve(reply);
    });
  });
}

export interface CandidateOptions {
  readonly name: string;
  readonly folder: string;
  readonly engine?: Candidate['engine'];
  readonly supports?: Candidate['supports'];
}

export function asCandidate(
  program: CandidateProgram,
  { name, folder, engine = 'Chromium', supports = () => true }: CandidateOptions,
): Candidate {
  const written = new Map<string, RequestedDocument>();
  const requestedDocument = async (document: BenchDocument): Promise<RequestedDocument> => {
    const known = written.get(document.name);
    if (known !== undefined) return known;
    const { html, files = {}, scripts, marksReady = false, expected, by } = document;
    const file = join(folder, `${name}-${document.name}`, 'index.html');
    for (const [path, bytes] of [['index.html', html] as const, ...Object.entries(files)]) {
      const target = join(dirname(file), path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
    }
    const url = by === 'url' ? await urlOf(document) : pathToFileURL(file).href;
    const made = { file, url, scripts, marksReady, expected };
    written.set(document.name, made);
    return made;
  };
  return {
    name,
    engine,
    pid: program.pid,
    supports,
    async convert(document) {
      const output = join(folder, `${name}.output`);
      await program.request({ document: await requestedDocument(document), output });
      return readFileSync(output);
    },
    run: async (document, load) => program.request({ document: await requestedDocument(document), load }),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
