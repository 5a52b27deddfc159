/** A contestant's own program in one file; made anew each time, which takes milliseconds. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** @param name of the file in this folder @param outfile `.cjs` or `.mjs`; packages are found from there */
export async function compiled(name: string, outfile: string): Promise<string> {
  const format = outfile.endsWith('.mjs') ? 'esm' : 'cjs';
  const options = { bundle: true, format, platform: 'node', target: 'node20', logLevel: 'silent' } as const;
  await build({
    ...options,
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    packages: 'external',
  });
  return outfile;
}
