/** The sizes of the debug logs of each account, so that the oldest ones of an account can be deleted before they fill the disk. */
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { freeBytesOf } from '../files/free-bytes.ts';
import type { LogEvent } from './events.ts';

interface AccountLogs {
  bytes: number;
  /** The size of each log by its id, oldest first. */
  readonly sizes: Map<string, number>;
}

export interface LogSharesOptions {
  readonly folder: string;
  /** The setting logs-per-account. */
  readonly maxBytes: number;
}

export class LogShares {
  readonly #options: LogSharesOptions;
  readonly #accounts = new Map<string, AccountLogs>();
  readonly #accountOfLog = new Map<string, string>();

  constructor(options: LogSharesOptions) {
    this.#options = options;
  }

  /** Adds the logs of earlier starts. To be called before others are added. Never rejects: what cannot be read is not counted. */
  async readFolder(): Promise<void> {
    const { folder } = this.#options;
    const found: (FoundLog & { readonly account: string })[] = [];
    for (const name of await readdir(folder).catch(() => [])) {
      const log = await findLog(folder, name).catch(() => undefined);
      if (log?.account !== undefined) found.push({ ...log, account: log.account });
    }
    for (const { account, id, bytes } of found.sort((first, second) => first.at - second.at))
      this.#add(account, id, bytes);
  }

  /** Adds the newest log. Returns the ids of the oldest ones of the account that must be deleted; never the newest itself. */
  async add(account: string, id: string, bytes: number): Promise<readonly string[]> {
    const logs = this.#add(account, id, bytes);
    const { folder, maxBytes } = this.#options;
    const share = Math.min(maxBytes, (await freeBytesOf(folder)) ?? Infinity);
    const beyond: string[] = [];
    for (const oldest of [...logs.sizes.keys()].slice(0, -1)) {
      if (logs.bytes <= share) break;
      this.remove(oldest);
      beyond.push(oldest);
    }
    return beyond;
  }

  /** Forgets a log that was deleted. */
  remove(id: string): void {
    const account = this.#accountOfLog.get(id) ?? '';
    this.#accountOfLog.delete(id);
    const logs = this.#accounts.get(account);
    if (logs === undefined) return;
    logs.bytes -= logs.sizes.get(id) ?? 0;
    logs.sizes.delete(id);
    if (logs.sizes.size === 0) this.#accounts.delete(account);
  }

  #add(account: string, id: string, bytes: number): AccountLogs {
    const logs = this.#accounts.get(account) ?? { bytes: 0, sizes: new Map<string, number>() };
    logs.bytes += bytes;
    logs.sizes.set(id, bytes);
    this.#accounts.set(account, logs);
    this.#accountOfLog.set(id, account);
    return logs;
  }
}

interface FoundLog {
  readonly id: string;
  readonly bytes: number;
  /** The time of the last event, in milliseconds since 1970. */
  readonly at: number;
  /** Undefined if the log does not begin with the event of its job. */
  readonly account: string | undefined;
}

/** The first event names the account; it is shorter than this. */
const maxFirstLine = 4096;

async function findLog(folder: string, name: string): Promise<FoundLog | undefined> {
  const id = /^([0-9a-f]{40})\.jsonl$/.exec(name)?.[1];
  if (id === undefined) return undefined;
  const path = join(folder, name);
  const { size, mtimeMs } = await stat(path);
  await using file = await open(path, 'r');
  const { bytesRead, buffer } = await file.read(Buffer.alloc(maxFirstLine), 0, maxFirstLine, 0);
  const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
  const event = JSON.parse(line) as LogEvent;
  return { id, bytes: size, at: mtimeMs, account: event.kind === 'job' ? event.detail.account : undefined };
}
