/** Outputs of console runs in a database that several nodes share, so that each node can send them. */
import type { Database } from '../tables.ts';

interface ConsoleOutput {
  readonly account: number;
  readonly bytes: Buffer;
  /** Media type. */
  readonly type: string;
  /** File name. */
  readonly name: string;
}

const partBytes = 1_000_000;

/** What the store of outputs (console/outputs.ts) needs of a database. Ids are unguessable. */
export function openConsoleOutputRecords(database: Database) {
  return {
    /** Stores an output, and deletes those that are older than `keepMs`. */
    async store(id: string, { account, bytes, type, name }: ConsoleOutput, keepMs: number): Promise<void> {
      const now = Date.now();
      await database
        .deleteFrom('console_outputs')
        .where('created_at', '<', now - keepMs)
        .execute();
      // The first part comes last, so that an output with a first part is complete.
      for (let part = Math.max(0, Math.ceil(bytes.length / partBytes) - 1); part >= 0; part -= 1) {
        const slice = bytes.subarray(part * partBytes, (part + 1) * partBytes);
        await database
          .insertInto('console_outputs')
          .values({ id, part, account_id: account, name, type, bytes: slice, created_at: now })
          .execute();
      }
    },
    /** Returns undefined for an output that is unknown, older than `keepMs`, or of another account. */
    async read(id: string, account: number, keepMs: number): Promise<ConsoleOutput | undefined> {
      const parts = await database
        .selectFrom('console_outputs')
        .select(['part', 'name', 'type', 'bytes'])
        .where('id', '=', id)
        .where('account_id', '=', account)
        .where('created_at', '>', Date.now() - keepMs)
        .orderBy('part')
        .execute();
      const [first] = parts;
      if (first?.part !== 0) return undefined;
      const { name, type } = first;
      return { account, name, type, bytes: Buffer.concat(parts.map(({ bytes }) => bytes)) };
    },
    async remove(id: string): Promise<void> {
      await database.deleteFrom('console_outputs').where('id', '=', id).execute();
    },
  };
}
