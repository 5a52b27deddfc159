/** Patterns of files, for shells that do not expand them, and for who quotes them: `*`, `?`, `**`, `[a-z]` and `{one,other}`. Pure. */

export interface Glob {
  /** The folder before the first segment with a pattern; empty for the current one. */
  readonly base: string;
  /** Whether a path with slashes, relative to the base, is meant. */
  readonly matches: (path: string) => boolean;
  /** How many folders deep below the base there may be such files; 1 is the base itself. */
  readonly depth: number;
}

export function isGlob(word: string): boolean {
  return special.test(word);
}

/** What makes a pattern of a name. */
const special = /[*?]|\[[^\]]+\]|\{[^{}]*,[^{}]*\}/;

/** Slashes separate; on Windows backslashes do, too, so nothing can be escaped. */
export function readGlob(word: string): Glob {
  const path = process.platform === 'win32' ? word.replaceAll('\\', '/') : word;
  const segments = path.split('/');
  // Braces may hold a slash: {one/two,other}.
  const first = path.slice(0, path.search(special)).split('/').length - 1;
  const base = segments.slice(0, first).join('/');
  const glob = segments.slice(first);
  const pattern = new RegExp(`^${patternOf(glob.join('/'))}$`, isCaseless ? 'iu' : 'u');
  return {
    base: base === '' && first > 0 ? '/' : base,
    matches: (found) => pattern.test(found),
    depth: glob.some((segment) => segment.includes('**')) ? Infinity : glob.length,
  };
}

/** As their file systems compare names. */
const isCaseless = process.platform === 'win32' || process.platform === 'darwin';

const parts = /\*\*\/|\*\*|\*|\?|\[[^\]/]+\]|[{},]|[\s\S]/gu;

function patternOf(glob: string): string {
  let depth = 0;
  const translated = [...glob.matchAll(parts)].map(([part]) => {
    if (part === '{') depth += 1;
    const isOfBraces = depth > 0;
    if (part === '}' && isOfBraces) depth -= 1;
    return isOfBraces && part in ofBraces ? ofBraces[part] : translate(part);
  });
  // A brace that is not closed means itself.
  return depth === 0 ? translated.join('') : Array.from(glob, escaped).join('');
}

const ofBraces: Readonly<Partial<Record<string, string>>> = { '{': '(?:', '}': ')', ',': '|' };

function translate(part: string): string {
  if (part === '**/') return '(?:[^/]+/)*';
  if (part === '**') return '.*';
  if (part === '*') return '[^/]*';
  if (part === '?') return '[^/]';
  if (!/^\[.+\]$/u.test(part)) return escaped(part);
  const set = part.slice(1, -1).replace(/[\\^[\]]/gu, '\\$&');
  const pattern = set.startsWith('!') ? `[^/${set.slice(1)}]` : `[${set}]`;
  return isPattern(pattern) ? pattern : '(?!)';
}

/** Nothing lies in a range the wrong way round, `[z-a]`. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

function escaped(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}
