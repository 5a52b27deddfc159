/** The code of the thread that runs long checkpoints: they would block the main thread, two milliseconds for each megabyte. */
import { DatabaseSync } from '@photostructure/sqlite';

/** Each round writes what was committed during the one before, so that little is left to the main thread. */
const rounds = 3;

/** Writes the pages of the WAL file to the database file at this path. Never waits for other connections, nor they for this one. */
export default function work(path: string): void {
  const file = new DatabaseSync(path);
  try {
    for (let round = 0; round < rounds; round += 1) file.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } finally {
    file.close();
  }
}
