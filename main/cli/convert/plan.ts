/** Inputs and wishes -> items: what is converted, into which file, and what it may load of this machine. */
import { dirname, relative, resolve } from 'node:path';
import { UsageProblem } from '../usage-problem.ts';
import { besideOf, type Beside } from './beside.ts';
import { folded, isFolder, sharedFolder } from './folders.ts';
import type { Input } from './inputs.ts';
import { outputsOf, type OutputWishes } from './outputs.ts';

export interface Item {
  readonly input: Input;
  /** Absolute; undefined: standard output. */
  readonly output: string | undefined;
  readonly beside?: Beside;
  /** Absolute. */
  readonly debugLog?: string;
}

export interface Wishes extends OutputWishes {
  /** `none`: pages load no files. */
  readonly root?: string | undefined;
  readonly debugLog?: string | undefined;
}

export interface Plan {
  readonly items: readonly Item[];
  /** Inputs whose folder is not opened to them, because it holds all that a person has. */
  readonly closed: readonly Input[];
}

/** @throws UsageProblem for what cannot be done so */
export function planItems(inputs: readonly Input[], wishes: Wishes): Plan {
  const outputs = outputsOf(inputs, wishes);
  const logs = debugLogsOf(outputs, wishes.debugLog);
  const closed: Input[] = [];
  const items = inputs.map((input, index): Item => {
    const [output, debugLog] = [outputs[index], logs[index]];
    refuseOverwriting(input, output);
    const beside = besideOf(input, wishes.root);
    if (beside === 'closed') closed.push(input);
    return {
      ...{ input, output },
      ...(typeof beside === 'object' && { beside }),
      ...(debugLog !== undefined && { debugLog }),
    };
  });
  return { items, closed };
}

/** A file for one, where the name says so; else a folder, in which they lie as their outputs do. */
function debugLogsOf(outputs: readonly (string | undefined)[], wanted: string | undefined) {
  if (wanted === undefined) return [];
  if (outputs.length === 1 && /\.html?$/i.test(wanted) && !isFolder(wanted)) return [resolve(wanted)];
  const base = sharedFolder(outputs.flatMap((path) => (path === undefined ? [] : [dirname(path)])));
  return outputs.map((path) =>
    resolve(wanted, `${path === undefined || base === undefined ? 'output' : relative(base, path)}.html`),
  );
}

function refuseOverwriting(input: Input, output: string | undefined): void {
  if (input.kind === 'file' && output !== undefined && folded(input.path) === folded(output))
    throw new UsageProblem(`'${input.name}' would be overwritten by its own output; name another.`);
}
