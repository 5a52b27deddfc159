/** Tells when the machine has no room: a full disk, a used-up quota, no descriptor for one more file. It passes, and is nobody's fault. */

/** errno(3), and how strerror(3) puts it, which is all that native libraries tell. */
const lacks: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left',
  EDQUOT: 'quota exceeded',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EROFS: 'read-only file system',
  EIO: 'input/output error',
};

/** sqlite.org/rescode.html: read-only, input or output failed, full, cannot be opened. */
const lacksOfSqlite: ReadonlySet<number> = new Set([8, 10, 13, 14]);

/** Causes of causes that are looked at. */
const deepest = 5;

/** Whether an error, or what caused it, says so. */
export function hasNoRoom(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; depth < deepest && error instanceof Error; depth += 1) {
    if (saysNoRoom(error)) return true;
    error = error.cause;
  }
  return false;
}

/** What is lacking, in a few words; undefined for other errors. */
export function lackIn({ code }: Pick<NodeJS.ErrnoException, 'code'>): string | undefined {
  return code === undefined ? undefined : lacks[code];
}

/** Why a file or folder could not be used, as a sentence's end. */
export function whyUnusable(problem: Pick<NodeJS.ErrnoException, 'code'>): string {
  if (problem.code === 'EACCES' || problem.code === 'EPERM') return 'permission denied';
  return lackIn(problem) ?? problem.code ?? 'the reason is not known';
}

/** Whether another program's own words say so. */
export function tellsOfNoRoom(words: string): boolean {
  const lower = words.toLowerCase();
  return Object.entries(lacks).some(([code, lack]) => words.includes(`${code}:`) || lower.includes(lack));
}

function saysNoRoom(error: NodeJS.ErrnoException & { readonly errcode?: unknown }): boolean {
  if (lackIn(error) !== undefined) return true;
  if (typeof error.errcode === 'number') return lacksOfSqlite.has(error.errcode & 0xff);
  // An error that comes from another thread, or from the start of one, has its code in its message alone.
  const [, code = ''] = /^(?:Worker initialization failure: )?(E[A-Z]+)\b/.exec(error.message) ?? [];
  return code in lacks;
}
