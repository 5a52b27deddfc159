/** Whether the data folder can be used, or made, by who asks. */
import { randomUUID } from 'node:crypto';
import { existsSync, statfsSync, statSync } from 'node:fs';
import { access, constants, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ConfigCheck } from '../check-of.ts';

/** Bytes. */
const least = 100e6;

export const dataFolder: ConfigCheck = {
  name: 'data folder',
  async run({ settings: { data }, user }) {
    if (!existsSync(data)) return await whereItWillBe(data);
    if (!statSync(data).isDirectory())
      throw new Error(`${data} is a file, not a folder; choose another with --data.`);
    await tryToWrite(data);
    const { bavail, bsize } = statfsSync(data);
    const free = `${Math.round((bavail * bsize) / 1e6).toLocaleString('en')} MB are free`;
    if (bavail * bsize < least)
      throw new Error(`In ${data} only ${free}; delete what is not needed, or choose another with --data.`);
    const busy = user === undefined ? '' : `, and process ${user} works with it`;
    return `${data} can be written${busy}; ${free}.`;
  },
};

async function tryToWrite(data: string): Promise<void> {
  const path = join(data, `config-check-${randomUUID()}`);
  try {
    await writeFile(path, '', { mode: 0o600 });
    await rm(path);
  } catch (problem) {
    const sentence = `${data} cannot be written (${codeOf(problem)}); give it to the user the service runs as, or choose another with --data.`;
    throw new Error(sentence, { cause: problem });
  }
}

async function whereItWillBe(data: string): Promise<string> {
  let above = dirname(data);
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above);
  try {
    await access(above, constants.W_OK | constants.X_OK);
    return `${data} does not exist yet; the first start makes it.`;
  } catch (problem) {
    const sentence = `${data} does not exist, and ${above} cannot be written (${codeOf(problem)}); make it and give it to the user the service runs as, or choose another with --data.`;
    throw new Error(sentence, { cause: problem });
  }
}

function codeOf(problem: unknown): string {
  return (problem as NodeJS.ErrnoException).code ?? String(problem);
}
