/**
 * The keys of an installation, which are outside its database (docs/decisions/0066-encryption-at-rest.md). The key file has a key for
 * secrets that stay, and two chains whose old keys are deleted: what was encrypted with them is then lost, also in copies.
 */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { decrypt, encrypt, keyBytes } from './cipher.ts';
import { epochAt, firstEpochInUse, KeyChain } from './key-chain.ts';
import { writeKeyFile } from './key-file.ts';

/** `requests`: what is kept until a job has ended. `results`: what is kept after that, outputs and callbacks. */
export type ChainName = 'requests' | 'results';

export type KeyedHash = ReturnType<typeof createHmac>;

/** A value cannot be decrypted: its key was deleted, or it was encrypted with another one, or not at all. */
export class UnreadableValue extends Error {}

/** The content of a key file that Platen has written. */
interface KeyFileContent {
  readonly secrets: string;
  readonly requests: { readonly epoch: number; readonly key: string };
  readonly results: { readonly epoch: number; readonly key: string };
}

/** Digits of an epoch. The same number for all, so that the smallest of several values is the oldest. */
export const epochDigits = 10;

export class Keyring {
  readonly #path: string;
  readonly #secrets: Buffer;
  readonly #chains: Readonly<Record<ChainName, KeyChain>>;

  private constructor(path: string, secrets: Buffer, chains: Readonly<Record<ChainName, KeyChain>>) {
    this.#path = path;
    this.#secrets = secrets;
    this.#chains = chains;
  }

  /**
   * Returns the keyring that is in a key file. Of a file that an operator has filled with random bytes, the chains begin at
   * `firstEpoch`. @throws Error if the file is damaged
   */
  static read(path: string, content: Buffer, firstEpoch: number): Keyring {
    if (content[0] !== '{'.charCodeAt(0)) {
      const derived = (purpose: string) => derive(content, '', `platen: ${purpose}`);
      const chain = (name: ChainName) => new KeyChain({ epoch: firstEpoch, key: derived(name) });
      return new Keyring(path, derived('secrets'), {
        requests: chain('requests'),
        results: chain('results'),
      });
    }
    try {
      const { secrets, requests, results } = JSON.parse(content.toString()) as KeyFileContent;
      return new Keyring(path, keyOf(secrets), { requests: chainOf(requests), results: chainOf(results) });
    } catch (cause) {
      throw new Error(`encryption-key-file: ${path} is damaged; restore it from a copy.`, { cause });
    }
  }

  /** A value that only keyrings from the same key have, and that reveals nothing about the key. */
  get checkValue(): string {
    return this.digestWith('check').digest('hex');
  }

  /** Returns a keyed hash, for digests that must not be guessed without the key. */
  digestWith(purpose: string): KeyedHash {
    return createHmac('sha256', derive(this.#secrets, '', `platen: ${purpose}`));
  }

  /** Encrypts a secret that is kept without a limit. `context`: what it belongs to. */
  encryptSecret(text: string, context: string): string {
    return encrypt(Buffer.from(text), this.#secrets, context).toString('base64');
  }

  /** @throws UnreadableValue */
  decryptSecret(encrypted: string, context: string): string {
    return readable(() => decrypt(Buffer.from(encrypted, 'base64'), this.#secrets, context)).toString();
  }

  /** Encrypts a text with a key of its own. `context`: what it belongs to. Begins with the epoch. */
  encryptText(chain: ChainName, text: string, context: string): string {
    const name = this.newKeyName(chain);
    return `${name}.${encrypt(Buffer.from(text), this.keyNamed(chain, name), context).toString('base64')}`;
  }

  /** @throws UnreadableValue */
  decryptText(chain: ChainName, encrypted: string, context: string): string {
    const [epoch = '', salt = '', content = ''] = encrypted.split('.', 3);
    const key = this.keyNamed(chain, `${epoch}.${salt}`);
    return readable(() => decrypt(Buffer.from(content, 'base64'), key, context)).toString();
  }

  /** Returns the name of a new key: its epoch and a salt. Without the name, the key cannot be computed. */
  newKeyName(chain: ChainName): string {
    const epoch = String(this.#chains[chain].currentEpoch).padStart(epochDigits, '0');
    return `${epoch}.${randomBytes(16).toString('base64url')}`;
  }

  /** @throws UnreadableValue if the key was deleted */
  keyNamed(chain: ChainName, name: string): Buffer {
    const [epoch = '', salt = ''] = name.split('.', 2);
    const key = this.#chains[chain].keyOf(Number(epoch));
    if (key === undefined) throw new UnreadableValue('its key was deleted, or it was never encrypted');
    return derive(key, salt, 'platen: value');
  }

  /**
   * Deletes the keys of epochs before those in use, here and in the key file. `needed`: the oldest epochs that the database uses.
   * `now`: by the clock of the database. @throws the error of the file system
   */
  async deleteOldKeys(needed: Partial<Record<ChainName, number>>, now: number): Promise<void> {
    const { requests, results } = this.#chains;
    const first = firstEpochInUse(now);
    const hasChanged = [
      requests.deleteBefore(Math.min(first, needed.requests ?? first)),
      results.deleteBefore(Math.min(first, needed.results ?? first)),
    ].includes(true);
    if (hasChanged) await this.save();
  }

  /** Writes the key file. @throws the error of the file system */
  async save(): Promise<void> {
    const { requests, results } = this.#chains;
    const content: KeyFileContent = {
      secrets: this.#secrets.toString('base64'),
      requests: linkJson(requests),
      results: linkJson(results),
    };
    await writeKeyFile(this.#path, `${JSON.stringify(content, null, 2)}\n`);
  }
}

/** Returns random bytes, from which a new keyring is read. */
export function newKeyMaterial(): Buffer {
  return Buffer.from(randomBytes(keyBytes).toString('base64'));
}

export function currentEpoch(): number {
  return epochAt(Date.now());
}

function derive(key: Buffer, salt: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, purpose, keyBytes));
}

function readable<T>(decryption: () => T): T {
  try {
    return decryption();
  } catch (cause) {
    throw new UnreadableValue('it was encrypted with another key, or it is damaged', { cause });
  }
}

function keyOf(text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length !== keyBytes) throw new Error('a key has the wrong length');
  return key;
}

function chainOf({ epoch, key }: KeyFileContent['requests']): KeyChain {
  if (!Number.isInteger(epoch)) throw new Error('an epoch is not a number');
  return new KeyChain({ epoch, key: keyOf(key) });
}

function linkJson({ oldest: { epoch, key } }: KeyChain): KeyFileContent['requests'] {
  return { epoch, key: key.toString('base64') };
}
