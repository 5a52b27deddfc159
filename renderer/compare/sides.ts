/** The two sides of a comparison: runs of this console session, or files from disk. */
import { computed, signal } from '@preact/signals';
import { runs, type ConsoleRun } from '../run/runs.ts';
import type { SideName } from './difference.ts';

export type ComparedSide =
  { readonly kind: 'run'; readonly run: ConsoleRun } | { readonly kind: 'file'; readonly file: File };

type SideChoice = number | File;

const choices = signal<Readonly<Record<SideName, SideChoice | undefined>>>({ a: undefined, b: undefined });

/** Runs that have an output, newest first. */
export const comparable = computed(() => runs.value.filter(({ state }) => state.kind === 'converted'));

/** The two sides. By default, they are the two newest runs with an output, the older one first. */
export const sides = computed<Readonly<Record<SideName, ComparedSide | undefined>>>(() => {
  const [newest, before] = comparable.value;
  return { a: sideOf(choices.value.a) ?? asSide(before), b: sideOf(choices.value.b) ?? asSide(newest) };
});

export function choose(side: SideName, choice: SideChoice): void {
  choices.value = { ...choices.value, [side]: choice };
}

export function swapSides(): void {
  const { a, b } = sides.value;
  choices.value = { a: b && choiceOf(b), b: a && choiceOf(a) };
}

export function choiceOf(side: ComparedSide): SideChoice {
  return side.kind === 'run' ? side.run.number : side.file;
}

export async function blobOf(side: ComparedSide): Promise<{ readonly blob: Blob; readonly type: string }> {
  if (side.kind === 'file') return { blob: side.file, type: side.file.type };
  const { state } = side.run;
  if (state.kind !== 'converted') throw new Error(`Run ${side.run.number} has no output.`);
  return { blob: await state.blob(), type: state.outcome.type };
}

function sideOf(choice: SideChoice | undefined): ComparedSide | undefined {
  if (choice instanceof File) return { kind: 'file', file: choice };
  return asSide(comparable.value.find(({ number }) => number === choice));
}

function asSide(run: ConsoleRun | undefined): ComparedSide | undefined {
  return run && { kind: 'run', run };
}
