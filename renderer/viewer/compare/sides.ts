/** The two sides of a comparison: runs of this window, or files from disk. */
import { computed, signal } from '@preact/signals';
import { runs, type ConsoleRun } from '../../run/runs.ts';
import type { SideName } from './difference.ts';

export type ComparedSide =
  { readonly is: 'run'; readonly run: ConsoleRun } | { readonly is: 'file'; readonly file: File };

type Chosen = number | File;

const chosen = signal<Readonly<Record<SideName, Chosen | undefined>>>({ a: undefined, b: undefined });

/** Runs that have an output, newest first. */
export const comparable = computed(() => runs.value.filter(({ state }) => state.kind === 'converted'));

/** By default, the two newest runs, the older one first. */
export const sides = computed<Readonly<Record<SideName, ComparedSide | undefined>>>(() => {
  const [newest, before] = comparable.value;
  return { a: sideOf(chosen.value.a) ?? asSide(before), b: sideOf(chosen.value.b) ?? asSide(newest) };
});

export function choose(side: SideName, what: Chosen): void {
  chosen.value = { ...chosen.value, [side]: what };
}

export function swapSides(): void {
  const { a, b } = sides.value;
  chosen.value = { a: b && chosenOf(b), b: a && chosenOf(a) };
}

export function chosenOf(side: ComparedSide): Chosen {
  return side.is === 'run' ? side.run.number : side.file;
}

export async function blobOf(side: ComparedSide): Promise<{ readonly blob: Blob; readonly type: string }> {
  if (side.is === 'file') return { blob: side.file, type: side.file.type };
  const { state } = side.run;
  if (state.kind !== 'converted') throw new Error(`Run ${side.run.number} has no output.`);
  return { blob: await state.blob(), type: state.outcome.type };
}

function sideOf(what: Chosen | undefined): ComparedSide | undefined {
  if (what instanceof File) return { is: 'file', file: what };
  return asSide(comparable.value.find(({ number }) => number === what));
}

function asSide(run: ConsoleRun | undefined): ComparedSide | undefined {
  return run && { is: 'run', run };
}
