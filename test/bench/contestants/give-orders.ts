/** The benchmark's side of a contestant that is a program of its own: it is told what to do, and tells how long it took. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addressOf } from '../documents/at-address.ts';
import type { BenchDocument } from '../documents/document.ts';
import type { Lap } from '../lap.ts';
import type { Contestant } from './contestant.ts';
import type { Answer, Order, OrderedDocument } from './orders.ts';

export interface Program extends AsyncDisposable {
  readonly pid: number;
  /** Where it listens, if it does. */
  readonly url: string | undefined;
  /** @throws Error when it could not be carried out */
  readonly ask: (order: Order) => Promise<Lap>;
}

/** Milliseconds in which a program ends that was let go. */
const patience = 10_000;

/** Resolves when it is ready. It ends when its channel closes, and so with this process, however that ends. */
export async function openProgram(child: ChildProcess): Promise<Program> {
  const ready = await answerOf(child);
  return {
    ...{ pid: child.pid ?? 0, url: ready.kind === 'ready' ? ready.url : undefined },
    async ask(order) {
      const answer = answerOf(child);
      child.send(order);
      const said = await answer;
      if (said.kind === 'lap') return said.lap;
      throw new Error(`an order was answered '${said.kind}'`);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const timer = setTimeout(() => child.kill('SIGKILL'), patience);
      if (child.connected) child.disconnect();
      await ended;
      clearTimeout(timer);
    },
  };
}

/** One at a time: whoever asks waits. */
function answerOf(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null, signal: string | null) => {
      reject(new Error(`${child.spawnfile} ended with ${signal ?? String(code)}`));
    };
    child.once('error', reject);
    child.once('exit', onExit);
    child.once('message', (answer: Answer) => {
      child.off('exit', onExit);
      child.off('error', reject);
      if (answer.kind === 'problem') reject(new Error(answer.problem));
      else resolve(answer);
    });
  });
}

export interface Casting {
  readonly name: string;
  readonly folder: string;
  readonly engine?: Contestant['engine'];
  readonly supports?: Contestant['supports'];
}

export function asContestant(
  program: Program,
  { name, folder, engine = 'Chromium', supports = () => true }: Casting,
): Contestant {
  const written = new Map<string, OrderedDocument>();
  const ordered = async (document: BenchDocument): Promise<OrderedDocument> => {
    const known = written.get(document.name);
    if (known !== undefined) return known;
    const { html, scripts, wanted, atAddress } = document;
    const file = join(folder, `${name}-${document.name}.html`);
    writeFileSync(file, html);
    const url = atAddress ? await addressOf(document) : pathToFileURL(file).href;
    const made = { file, url, scripts, wanted };
    written.set(document.name, made);
    return made;
  };
  return {
    ...{ name, engine, pid: program.pid, supports },
    async convert(document) {
      const output = join(folder, `${name}.output`);
      await program.ask({ document: await ordered(document), output });
      return readFileSync(output);
    },
    run: async (document, load) => program.ask({ document: await ordered(document), load }),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
