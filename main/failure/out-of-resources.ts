/**
 * Recognises errors that occur because the machine has run out of resources: a full disk, an exhausted quota, no free file
 * descriptor. Such errors are temporary, and are caused neither by the caller nor by the service.
 */

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
