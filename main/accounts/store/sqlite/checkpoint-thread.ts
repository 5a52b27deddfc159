/** The code of the thread that runs long checkpoints: they would block the main thread, two milliseconds for each megabyte. */
import { DatabaseSync } from '@photostructure/sqlite';

/** Writes the pages of the WAL file to the database file at this path. Never waits for other connections, nor they for this one. */
export default function work(path: string): void {
  const file = new DatabaseSync(path);
  try {
    file.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } finally {
    file.close();
  }
}
