/** The failure of a database that cannot be reached or written at the moment. */
import { Failure } from '../../failure/failure.ts';

/** `cause`: an Error whose message names the hosts, without user and password. It appears only in the service log. */
export function databaseUnavailable(cause?: unknown): Failure {
  const message = 'The service cannot reach or write its database at the moment. Try again later.';
  return new Failure('unavailable', message, { cause, retryAfter: 5 });
}

export function isUnavailable(problem: unknown): problem is Failure {
  return problem instanceof Failure && problem.kind === 'unavailable';
}
