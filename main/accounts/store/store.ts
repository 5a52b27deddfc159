/** The accounts database of a service, whichever kind it is. */
import type { Settings } from '../../settings/table.ts';
import type { Database } from './tables.ts';

export interface Store extends AsyncDisposable {
  readonly database: Database;
  /**
   * The same database, for what needs no credentials. Has connections of its own if there are several, so that a flood of such requests
   * does not delay authentication.
   */
  readonly publicReads: Database;
  /** Whether several nodes may use the database. */
  readonly isShared: boolean;
  /** Returns why the database cannot be reached, or undefined. */
  readonly problem: () => string | undefined;
}

export interface StoreOptions {
  readonly settings: Pick<Settings, 'database' | 'database-password-file'> & { readonly data: string };
  /** Receives errors of the maintenance of SQLite. */
  readonly report?: (problem: unknown) => void;
  /** Called when a shared database cannot be reached any more, with the reason, and when it can be reached again. */
  readonly onAvailability?: (problem: string | undefined) => void;
}
