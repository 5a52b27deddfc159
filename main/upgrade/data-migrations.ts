/**
 * How the data folder came to be: each change once, in order, never edited after a release. What changes within the accounts
 * database is in accounts/migrations.ts, and belongs to an upgrade just the same.
 * To change the folder: one row here, which gets the folder as the row before left it, and may be run again after a crash.
 */
export interface DataMigration {
  /** The format it leads to: one more than the row before. */
  readonly to: number;
  /** @throws Error with one sentence; the folder is as it was then */
  readonly run: (data: string) => Promise<void>;
}

export const dataMigrations: readonly DataMigration[] = [
  // The folders of the time before version.json: nothing but the database changes.
  { to: 1, run: () => Promise.resolve() },
];
