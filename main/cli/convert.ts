/** `platen convert`: whole conversions from a terminal, without a service, or with one elsewhere. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { catchSignals, type Signals } from '../launch/signals.ts';
import { exitCodes } from './convert/exit-codes.ts';
import { convertHelp } from './convert/help.ts';
import type { Input } from './convert/inputs.ts';
import { openConverter } from './convert/open-converter.ts';
import { openOwnFolder } from './convert/own-folder.ts';
import { prepare, type Prepared } from './convert/prepare.ts';
import { openTeller } from './convert/teller.ts';
import { runAndTell } from './convert/run-and-tell.ts';
import { watchAndConvert } from './convert/watch.ts';
import { readConvertWords } from './convert/words.ts';

/** Resolves with the exit code (convert/exit-codes.ts). @throws UsageProblem, SettingProblem, Error with one sentence */
export async function convert(words: readonly string[]): Promise<number> {
  const read = readConvertWords(words);
  if (read.own.has('help')) {
    process.stdout.write(convertHelp());
    return exitCodes.well;
  }
  // Whoever read our outputs may have gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  using signals = catchSignals();
  await using folder = await openOwnFolder();
  try {
    const prepared = await prepare(read, { folder: folder.path, signal: signals.stop });
    return await carryOut(prepared, folder.path, signals);
  } catch (problem) {
    if (signals.stop.aborted) return exitCodes.interrupted;
    throw problem;
  }
}

async function carryOut(prepared: Prepared, folder: string, signals: Signals): Promise<number> {
  const { items, closed } = prepared.plan;
  const teller = openTeller(prepared.manner);
  const [first] = closed;
  if (first !== undefined && !prepared.manner.quiet)
    teller.note(
      `platen: ${first.name} is in your home folder, whose files it may not load; --root names a folder of its own.`,
    );
  const input = items.find((item) => item.input.kind === 'stdin')?.input;
  if (input?.kind === 'stdin') await store(input, signals.stop);
  await using converter = openConverter(prepared, {
    ...{ folder, kill: signals.kill, onError: teller.note },
  });
  const running = { ...prepared, converter, folder, signal: signals.stop, teller };
  return prepared.watch ? await watchAndConvert(running) : await runAndTell(items, running);
}

async function store({ path }: Extract<Input, { kind: 'stdin' }>, signal: AbortSignal): Promise<void> {
  await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal });
}
