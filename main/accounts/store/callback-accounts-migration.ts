/** The migration that stores the account of each callback, so that accounts can take turns. */
import { sql, type Kysely } from 'kysely';
import { isPostgres } from './dialect.ts';

export async function addAccountsToCallbacks(database: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE callbacks ADD COLUMN account_id integer`.execute(database);
  await sql`UPDATE callbacks SET account_id = (SELECT account_id FROM jobs WHERE id = job_id)`.execute(
    database,
  );
  // Looking for callbacks that are due reads only this index. Older versions use callbacks_by_time.
  await sql`CREATE INDEX callbacks_of_account ON callbacks (account_id, due_at)`.execute(database);
  for (const statement of isPostgres(database) ? postgresTriggers : sqliteTriggers)
    await sql.raw(statement).execute(database);
}

// Nodes of older versions insert callbacks without an account during an upgrade. Triggers add it.

const accountOfJob = '(SELECT account_id FROM jobs WHERE id = NEW.job_id)';

const sqliteTriggers = [
  `CREATE TRIGGER callbacks_account AFTER INSERT ON callbacks FOR EACH ROW WHEN NEW.account_id IS NULL
    BEGIN UPDATE callbacks SET account_id = ${accountOfJob} WHERE id = NEW.id; END`,
];

const postgresTriggers = [
  `CREATE FUNCTION platen_callback_account_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.account_id := ${accountOfJob}; RETURN NEW; END $$`,
  `CREATE TRIGGER callbacks_account BEFORE INSERT ON callbacks FOR EACH ROW WHEN (NEW.account_id IS NULL)
    EXECUTE FUNCTION platen_callback_account_v1()`,
];
