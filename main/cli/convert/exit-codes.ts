/** What the exit code of `platen convert` says: classes of failures, so that a script knows whether to try again. */
import { catalogue, type FailureKind } from '../../failure/catalogue.ts';

export const exitCodes = {
  well: 0,
  /** This program or machine: no runtime, no disk, an output that cannot be written. */
  fault: 1,
  /** The command line. */
  usage: 2,
  /** An input: as long as it is as it is, it will not be converted. */
  input: 3,
  /** An address that was refused, or did not answer. */
  network: 4,
  /** Out of time, or of room: another try may do. */
  time: 5,
  /** The service does not take the account. */
  account: 6,
  interrupted: 130,
} as const;

export type FailureClass = Exclude<keyof typeof exitCodes, 'well' | 'interrupted'>;

const classes: Readonly<Record<FailureKind, FailureClass>> = {
  malformedRequest: 'fault',
  noInput: 'usage',
  bodyFormat: 'usage',
  unknownParameter: 'usage',
  valueNotAllowed: 'usage',
  notHtml: 'input',
  tooComplex: 'input',
  archiveUnusable: 'input',
  templateInvalid: 'input',
  urlInvalid: 'input',
  elementNotFound: 'input',
  rendererCrashed: 'input',
  scriptThrew: 'input',
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
  // What is no Platen service, or another path of it.
  notFound: 'network',
  methodNotAllowed: 'network',
  headersTooLarge: 'fault',
  internal: 'fault',
};

/** Of an answer's numbers. */
export function kindOf(status: number, reason: number): FailureKind | undefined {
  const kinds = Object.keys(catalogue) as FailureKind[];
  return kinds.find((kind) => catalogue[kind].status === status && catalogue[kind].reason === reason);
}

export function classOf(status: number, reason: number): FailureClass {
  const kind = kindOf(status, reason);
  return kind === undefined ? 'fault' : classes[kind];
}

/** Of several, what says most about the next try. */
const gravity: readonly FailureClass[] = ['fault', 'account', 'time', 'network', 'usage', 'input'];

export function exitCodeOf(failures: readonly FailureClass[]): number {
  const worst = gravity.find((one) => failures.includes(one));
  return exitCodes[worst ?? 'well'];
}
