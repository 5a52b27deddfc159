/**
 * `Failure`, the only error that callers see. `message` is for the caller (what failed, why, what to change);
 * `cause` is for the service's log.
 */
import { catalogue, type FailureKind } from './catalogue.ts';

interface FailureDetails {
  /** The underlying error, for the service's log only. */
  readonly cause?: unknown;
  /** Seconds after which the caller may try again; sent as Retry-After. */
  readonly retryAfter?: number;
}

/** A message may list texts of a page. */
const maxMessageLength = 10_000;

export class Failure extends Error {
  readonly kind: FailureKind;
  readonly retryAfter: number | undefined;

  constructor(kind: FailureKind, message: string, details: FailureDetails = {}) {
    super(message.slice(0, maxMessageLength), { cause: details.cause });
    this.name = 'Failure';
    this.kind = kind;
    this.retryAfter = details.retryAfter;
  }

  get status(): number {
    return catalogue[this.kind].status;
  }

  get reason(): number {
    return catalogue[this.kind].reason;
  }
}

/**
 * Returns the Failure for any thrown value. Errors about missing disk space or file descriptors become `unavailable`; every other
 * error becomes `internal` with a fixed message, so that no internals leak to the caller.
 */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (isOutOfResources(thrown)) return outOfResources(thrown);
  const message =
    'The conversion failed because of an error in the service. Its log contains the details under this job id.';
  return new Failure('internal', message, { cause: thrown });
}

/** Returns the Failure for a service that cannot write or open its files. A retry may succeed. */
export function outOfResources(cause: unknown): Failure {
  const message = 'The service cannot write or open its files at the moment. Try again in a few seconds.';
  return new Failure('unavailable', message, { cause, retryAfter: 5 });
}

/** Returns the message of anything that was thrown. */
export function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

/** One of possibly several problems with a request, which are reported together in one Failure. */
export interface Problem {
  readonly kind: FailureKind;
  readonly message: string;
}

/** Shortens a value for a message: one line, at most 80 characters. */
export function shortened(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim();
  // Counts code points, so that no surrogate pair is split.
  const points = Array.from(line.slice(0, 200));
  return points.length > 80 ? `${points.slice(0, 77).join('')}...` : points.join('');
}

// Recognises errors that occur because the machine has run out of resources: a full disk, an exhausted quota, no free file
// descriptor. Such errors are temporary, and are caused neither by the caller nor by the service.

/** The text of each error (strerror(3)) by its code (errno(3)); native libraries report only the text. */
const missingResources: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left',
  EDQUOT: 'quota exceeded',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EROFS: 'read-only file system',
  EIO: 'input/output error',
};

/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN (sqlite.org/rescode.html). */
const sqliteCodes: ReadonlySet<number> = new Set([8, 10, 13, 14]);

const maxCauseDepth = 5;

/** Returns whether the error, or one of its causes, occurred because a resource is missing. */
export function isOutOfResources(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; depth < maxCauseDepth && error instanceof Error; depth += 1) {
    if (isMissingResource(error)) return true;
    error = error.cause;
  }
  return false;
}

/** Returns the missing resource in a few words, or undefined for other errors. */
function missingResource({ code }: Pick<NodeJS.ErrnoException, 'code'>): string | undefined {
  return code === undefined ? undefined : missingResources[code];
}

/** Returns why a file or folder could not be used, for the end of a message. */
export function fileErrorReason(problem: Pick<NodeJS.ErrnoException, 'code'>): string {
  if (problem.code === 'EACCES' || problem.code === 'EPERM') return 'permission denied';
  return missingResource(problem) ?? problem.code ?? 'unknown error';
}

/** Returns whether a file or folder could not be used because it does not exist. */
export function isMissingFile(problem: unknown): boolean {
  return problem instanceof Error && 'code' in problem && problem.code === 'ENOENT';
}

/** Returns whether the error output of another program reports a missing resource. */
export function reportsMissingResource(output: string): boolean {
  const lower = output.toLowerCase();
  return Object.entries(missingResources).some(
    ([code, text]) => output.includes(`${code}:`) || lower.includes(text),
  );
}

function isMissingResource(error: NodeJS.ErrnoException & { readonly errcode?: unknown }): boolean {
  if (missingResource(error) !== undefined) return true;
  if (typeof error.errcode === 'number') return sqliteCodes.has(error.errcode & 0xff);
  // Errors from another thread, or from starting a thread, contain their code only in the message.
  const [, code = ''] = /^(?:Worker initialization failure: )?(E[A-Z]+)\b/.exec(error.message) ?? [];
  return code in missingResources;
}
