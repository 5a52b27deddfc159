/**
 * Keeps the key of the first account in a file until the operator has seen it in the console window. Used if the service starts
 * without a terminal, where the key cannot be printed. The log never contains the key.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { FirstAccount } from '../accounts/ensure.ts';

const schema = z.object({ name: z.string(), key: z.string() });

export class FirstKeyFile {
  readonly #path: string;

  /** The data folder is readable only by its owner: by its mode, or on Windows because it is in the user's profile. */
  constructor(dataFolder: string) {
    this.#path = join(dataFolder, 'first-key.json');
  }

  /** Writes the file, readable only by its owner. @throws the file system's error */
  save(account: FirstAccount): void {
    // An existing file would keep its mode.
    this.remove();
    writeFileSync(this.#path, `${JSON.stringify(account, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  }

  /** Returns undefined if there is no key to show. */
  read(): FirstAccount | undefined {
    try {
      return schema.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch {
      return undefined;
    }
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
