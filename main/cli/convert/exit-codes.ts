/** The exit codes of `platen convert`: classes of failures, from which a script can decide whether to retry. */
import { kindOf, type FailureKind } from '../../failure/catalogue.ts';

export const exitCodes = {
  success: 0,
  /** A fault of this program or machine: no runtime, a full disk, an output that cannot be written. */
  fault: 1,
  /** An invalid command line. */
  usage: 2,
  /** An input that cannot be converted. A retry fails unless the input changes. */
  input: 3,
  /** A URL that was blocked or could not be reached. */
  network: 4,
  /** Out of time or capacity; a retry may succeed. */
  time: 5,
  /** An account that the service rejects. */
  account: 6,
  interrupted: 130,
} as const;

type FailureClass = Exclude<keyof typeof exitCodes, 'success' | 'interrupted'>;

const classes: Readonly<Record<FailureKind, FailureClass>> = {
  malformedRequest: 'fault',
  noInput: 'usage',
  bodyFormat: 'usage',
  unknownParameter: 'usage',
  valueNotAllowed: 'usage',
  notHtml: 'input',
  tooComplex: 'input',
  archiveUnusable: 'input',
  dataInvalid: 'input',
  urlInvalid: 'input',
  elementNotFound: 'input',
  rendererLost: 'input',
  scriptThrew: 'input',
  standardNotMet: 'input',
  notesRefused: 'input',
  uploadTooLarge: 'input',
  pageNotLoaded: 'network',
  addressRefused: 'network',
  timedOut: 'time',
  requestTimeout: 'time',
  tooManyRequests: 'time',
  unavailable: 'time',
  unauthorized: 'account',
  noCredits: 'account',
  operatorOnly: 'account',
  originRefused: 'account',
  // The URL of --remote is not that of a Platen service, or has the wrong path.
  notFound: 'network',
  methodNotAllowed: 'network',
  headersTooLarge: 'fault',
  internal: 'fault',
  // Only asynchronous jobs have these failures.
  jobNotEnded: 'fault',
  outputGone: 'fault',
  idempotencyKeyReused: 'fault',
};

export function classOf(status: number, reason: number): FailureClass {
  const kind = kindOf(status, reason);
  return kind === undefined ? 'fault' : classes[kind];
}

/** In order of precedence: if several inputs fail, the first of these classes among them determines the exit code. */
const severityOrder: readonly FailureClass[] = ['fault', 'account', 'time', 'network', 'usage', 'input'];

export function exitCodeOf(failures: readonly FailureClass[]): number {
  const worst = severityOrder.find((failureClass) => failures.includes(failureClass));
  return exitCodes[worst ?? 'success'];
}
