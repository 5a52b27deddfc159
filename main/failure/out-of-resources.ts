/**
 * Recognises errors of a machine that has run out of resources: a full disk, an exhausted quota, no free file descriptor.
 * They are temporary, and neither the caller nor the service causes them.
 */

/** The code (errno(3)) and the text (strerror(3)) of each error; native libraries report only the text. */
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

/** Returns true if the error, or one of its causes, says that a resource is missing. */
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

/** Returns why a file or folder could not be used, for the end of a sentence. */
export function fileErrorReason(problem: Pick<NodeJS.ErrnoException, 'code'>): string {
  if (problem.code === 'EACCES' || problem.code === 'EPERM') return 'permission denied';
  return missingResource(problem) ?? problem.code ?? 'unknown error';
}

/** Returns true if the error output of another program says that a resource is missing. */
export function reportsMissingResource(output: string): boolean {
  const lower = output.toLowerCase();
  return Object.entries(missingResources).some(
    ([code, text]) => output.includes(`${code}:`) || lower.includes(text),
  );
}

function isMissingResource(error: NodeJS.ErrnoException & { readonly errcode?: unknown }): boolean {
  if (missingResource(error) !== undefined) return true;
  if (typeof error.errcode === 'number') return sqliteCodes.has(error.errcode & 0xff);
  // Errors from another thread, or from starting one, contain their code only in the message.
  const [, code = ''] = /^(?:Worker initialization failure: )?(E[A-Z]+)\b/.exec(error.message) ?? [];
  return code in missingResources;
}
