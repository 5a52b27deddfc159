/** Bundles the program of a candidate into one file. This takes only milliseconds, so it is done for each start. */
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Returns `outfile`, a `.cjs` or `.mjs` file; Node.js resolves packages from its folder.
 * @param name The name of a file in this folder.
 */
export async function bundleProgram(name: string, outfile: string): Promise<string> {
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
