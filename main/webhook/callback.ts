/** Makes callbacks: checks the URL that a caller names, and adds the callback of a job that has ended. */
import { randomUUID } from 'node:crypto';
import { currentTime } from '../accounts/store/dialect.ts';
import type { Database } from '../accounts/store/tables.ts';
import { Failure } from '../failure/failure.ts';
import { readHost } from '../network/host-name.ts';

const maxUrlLength = 2000;

/**
 * Reads the option `callback_url`. `secret` is the secret of the caller's account, or null if it has none.
 * @throws Failure valueNotAllowed
 */
export function readCallbackUrl(text: string, secret: string | null, account: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || readHost(url.hostname) === undefined)
    throw refused(text, 'a complete http: or https: URL');
  if (text.length > maxUrlLength) throw refused(text, `at most ${maxUrlLength} characters`);
  if (url.username !== '' || url.password !== '')
    throw refused(
      `${url.origin}/...`,
      'a URL without user name and password; receivers verify the signature of a callback instead',
    );
  if (url.port === '0') throw refused(text, 'a URL with a port from 1 to 65535');
  if (secret === null)
    throw new Failure(
      'valueNotAllowed',
      `callback_url needs a secret for the signatures of callbacks, and the account ${account} has none. Ask the operator to run: platen account webhook-secret ${account}`,
    );
  url.hash = '';
  return url;
}

function refused(text: string, allowed: string): Failure {
  return new Failure(
    'valueNotAllowed',
    `The value '${text.slice(0, 100)}' of callback_url is not allowed; allowed: ${allowed}.`,
  );
}

export type CallbackType = 'job.done' | 'job.failed' | 'job.canceled';

export interface NewCallback {
  readonly type: CallbackType;
  readonly jobId: string;
  readonly url: string;
  /** The job as `GET /jobs/<id>` shows it. */
  readonly job: object;
  /** When the job ended, in milliseconds since 1970. */
  readonly endedAt: number;
}

/** Adds a callback that is due now. Call this in the transaction that ends the job. */
export async function insertCallback(database: Database, callback: NewCallback): Promise<void> {
  const { type, jobId, url, job, endedAt } = callback;
  await database
    .insertInto('callbacks')
    .values({
      id: `msg_${randomUUID().replaceAll('-', '')}`,
      job_id: jobId,
      url,
      body: JSON.stringify({ type, timestamp: new Date(endedAt).toISOString(), data: job }),
      due_at: currentTime(database),
    })
    .execute();
}
