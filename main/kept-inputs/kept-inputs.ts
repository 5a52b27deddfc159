/**
 * Keeps the requests of chosen accounts, encrypted, so that the rehearsal of an upgrade can convert them again (docs/rehearsal.md).
 */
import { hkdfSync } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { decrypt, encrypt, keyBytes } from '../encryption/cipher.ts';
import { readKeyFile } from '../encryption/key-file.ts';
import type { Job, RawValue } from '../job/job.ts';
import { isStoredText } from '../job/option-kinds.ts';
import { table, type OptionRow } from '../job/options.ts';
import { keptInputsFolder } from '../settings/data-folder.ts';
import type { Settings } from '../settings/table.ts';

/** A value of a kept request. */
export interface KeptValue {
  readonly name: string;
  /** The file name, if it was a file part. */
  readonly file?: string;
  readonly bytes: Buffer;
}

export interface KeptInput {
  readonly job: string;
  readonly account: string;
  /** Without secret values. */
  readonly values: readonly KeptValue[];
}

/** The newest jobs of an account that are kept. */
const maxJobs = 100;

/** Larger requests are not kept. */
const maxBytes = 20_000_000;

interface Keeping {
  readonly key: Buffer;
  readonly folder: string;
}

export class KeptInputs {
  /** By account. */
  readonly #keepings: ReadonlyMap<string, Keeping>;

  private constructor(keepings: ReadonlyMap<string, Keeping>) {
    this.#keepings = keepings;
  }

  /**
   * Opens the store in the data folder for the accounts of the setting `keep-inputs`.
   * @throws Error with a one-sentence message if a key file cannot be used
   */
  static async open(settings: Pick<Settings, 'data' | 'keep-inputs'>): Promise<KeptInputs> {
    const { data = '', 'keep-inputs': chosen = [] } = settings;
    const keepings = new Map<string, Keeping>();
    for (const { account, file } of chosen)
      keepings.set(account, { key: await readKey(data, file), folder: keptInputsFolder(data, account) });
    return new KeptInputs(keepings);
  }

  /** Keeps the request of a job, if its account is chosen. @throws the file system's error */
  async keep(job: Pick<Job, 'id' | 'account' | 'rawValues'>): Promise<void> {
    const keeping = this.#keepings.get(job.account);
    if (keeping === undefined || sizeOf(job) > maxBytes) return;
    const values = await valuesOf(job);
    const input: KeptInput = { job: job.id, account: job.account, values };
    await mkdir(keeping.folder, { recursive: true, mode: 0o700 });
    const path = join(keeping.folder, job.id);
    await writeFile(path, encrypt(encoded(input), keeping.key, job.id), { mode: 0o600 });
    const jobs = (await readdir(keeping.folder)).sort();
    for (const oldest of jobs.slice(0, -maxJobs)) await rm(join(keeping.folder, oldest), { force: true });
  }

  /** Yields the kept requests, for each account the oldest first. @throws Error with a one-sentence message */
  async *read(): AsyncGenerator<KeptInput> {
    for (const { folder, key } of this.#keepings.values())
      for (const name of (await readdir(folder).catch(() => [])).sort()) {
        const path = join(folder, name);
        yield decoded(decryptFile(await readFile(path), key, path));
      }
  }
}

/** Reads the key file, which must be outside the data folder: backups of the folder must not contain the key. */
async function readKey(data: string, file: string): Promise<Buffer> {
  const path = resolve(data, file);
  const setting = 'keep-inputs';
  if (!relative(data, path).startsWith('..'))
    throw new Error(
      `${setting}: ${path} is in the data folder; store the key elsewhere, so that copies of the data folder cannot be read.`,
    );
  const content = await readKeyFile(path, { setting, refusedMode: 0o077 });
  return Buffer.from(hkdfSync('sha256', content, '', 'platen kept inputs', keyBytes));
}

/** @throws Error with a one-sentence message */
function decryptFile(content: Buffer, key: Buffer, path: string): Buffer {
  try {
    return decrypt(content, key, basename(path));
  } catch (cause) {
    throw new Error(`${path} cannot be decrypted: it was kept with another key, or it is damaged.`, {
      cause,
    });
  }
}

function sizeOf({ rawValues }: Pick<Job, 'rawValues'>): number {
  const sizes = [...rawValues.values()]
    .flat()
    .map((value) => (typeof value === 'string' ? value.length : value.size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Returns the values without secrets, such as passwords and cookies. */
async function valuesOf({ rawValues }: Pick<Job, 'rawValues'>): Promise<KeptValue[]> {
  const values: KeptValue[] = [];
  for (const [name, sent] of rawValues) {
    const row: OptionRow = table[name];
    if (row.secret !== true) for (const value of sent) values.push({ name, ...(await contentOf(value)) });
  }
  return values;
}

async function contentOf(value: RawValue): Promise<Omit<KeptValue, 'name'>> {
  if (typeof value === 'string') return { bytes: Buffer.from(value) };
  const bytes = await readFile(value.path);
  return isStoredText(value) ? { bytes } : { bytes, file: value.name };
}

// What is encrypted: the length of a JSON header, the header, and the bytes of the values.

interface KeptHeader extends Omit<KeptInput, 'values'> {
  readonly values: readonly { readonly name: string; readonly file?: string; readonly size: number }[];
}

function encoded({ values, ...facts }: KeptInput): Buffer {
  const header: KeptHeader = {
    ...facts,
    values: values.map(({ bytes, ...value }) => ({ ...value, size: bytes.length })),
  };
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, ...values.map(({ bytes }) => bytes)]);
}

function decoded(text: Buffer): KeptInput {
  let at = 4 + text.readUInt32BE();
  const { values, ...facts } = JSON.parse(text.toString('utf8', 4, at)) as KeptHeader;
  return {
    ...facts,
    values: values.map(({ size, ...value }) => ({ ...value, bytes: text.subarray(at, (at += size)) })),
  };
}
