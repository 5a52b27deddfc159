/**
 * The programs of ours that run inside a page and are more than one function: `programs/`, compiled one by one
 * (build/setup/compile.mjs) and sent as text.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type PageProgram =
  'article' | 'breaks' | 'controls' | 'element' | 'library' | 'look' | 'sketch' | 'strip';

/** Files of our own, which do not change while we run. */
const sources = new Map<PageProgram, Promise<string>>();

/** Code whose value is that of an expression, in which `program` has the program's exports; the page keeps nothing else. */
export async function withProgram(name: PageProgram, expression: string): Promise<string> {
  const known = sources.get(name) ?? readFile(join(import.meta.dirname, `page-${name}.cjs`), 'utf8');
  sources.set(name, known);
  const source = await known;
  return `(() => {\n${source}\nreturn ${expression};\n})()\n//# sourceURL=platen-${name}`;
}
