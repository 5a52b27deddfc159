/** A kept output as a whole, for a door that does not stream. */
import { readFile } from 'node:fs/promises';
import type { Account } from '../accounts/account.ts';
import { Failure } from '../failure/failure.ts';
import type { KeptOutput, Outputs } from './outputs.ts';

export interface OutputFile extends Pick<KeptOutput, 'name' | 'type'> {
  readonly bytes: Uint8Array;
}

/** @throws Failure notFound for one that is unknown, gone or another account's */
export type ReadOutput = (id: string, account: Account) => Promise<OutputFile>;

export function readingOutputs(outputs: Pick<Outputs, 'find'>): ReadOutput {
  return async (id, account) => {
    const kept = outputs.find(id, account.id);
    if (kept === undefined) throw gone();
    const { name, type, path } = kept;
    const bytes = await readFile(path).catch((cause: unknown) => {
      throw gone(cause);
    });
    return { name, type, bytes };
  };
}

function gone(cause?: unknown): Failure {
  return new Failure('notFound', 'This output is kept no longer; run the conversion again.', { cause });
}
