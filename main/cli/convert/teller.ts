/** Tells how a run goes: a bar on a terminal, else a line for each document; JSON for machines; and what came of it at the end. */
import { openBar, type Bar } from './bar.ts';
import type { Item } from './plan.ts';
import type { Ended } from './run-items.ts';
import { failureText, lineOf, summaryText, type Tally } from './sentences.ts';

export interface Teller {
  readonly begin: (total: number) => void;
  readonly began: (item: Item) => void;
  readonly ended: (ended: Ended) => void;
  /** Anything else, on standard error. */
  readonly note: (line: string) => void;
  readonly finish: (tally: Tally) => void;
}

export interface Manner {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly json: boolean;
  /** Whether somebody looks at standard error. */
  readonly terminal: boolean;
}

export function openTeller(manner: Manner): Teller {
  const { quiet, verbose, json, terminal } = manner;
  let [total, bar]: [number, Bar | undefined] = [0, undefined];
  const write = (line: string) => {
    bar?.clear();
    process.stderr.write(`${line}\n`);
    bar?.draw();
  };
  return {
    begin(count) {
      total = count;
      if (terminal && !quiet && count > 1) bar = openBar(count);
    },
    began: (item) => bar?.began(item.input.name),
    ended(ended) {
      bar?.ended(ended.kind);
      if (json) process.stdout.write(`${JSON.stringify(asJson(ended))}\n`);
      if (ended.kind === 'failed') write(`platen: ${failureText(ended)}`);
      else if (!quiet && !json && (verbose || bar === undefined)) write(lineOf(ended, verbose));
      else bar?.draw();
    },
    note: write,
    finish(tally) {
      bar?.clear();
      bar = undefined;
      if (json) process.stdout.write(`${JSON.stringify({ kind: 'summary', ...countsOf(tally) })}\n`);
      else if (!quiet && total > 1) process.stderr.write(summaryText(tally));
    },
  };
}

function asJson({ item, ...facts }: Ended): object {
  return { input: item.input.name, output: item.output ?? '-', ...facts };
}

function countsOf({ failed, ...counts }: Tally): object {
  return { ...counts, failed: failed.length };
}
