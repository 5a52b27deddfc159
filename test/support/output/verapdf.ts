/** Checks documents with veraPDF, which judges conformance to PDF/A. */
import { spawnSync } from 'node:child_process';

const program = process.env.VERAPDF ?? 'verapdf';

/** Why tests with veraPDF are skipped; false if it is installed. */
export const skipReason =
  spawnSync(program, ['--help']).error === undefined
    ? false
    : 'veraPDF is not installed (program verapdf, or its path in VERAPDF)';

/**
 * Returns what veraPDF says of each file that does not conform to the flavour, such as `2u`; empty if all conform.
 * @throws Error if veraPDF could not check the files
 */
export function failuresOf(flavour: string, files: readonly string[]): readonly string[] {
  const { status, stdout, stderr } = spawnSync(program, ['-f', flavour, ...files], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (status !== 0 && status !== 1)
    throw new Error(`veraPDF ended with ${String(status)}: ${stdout}${stderr}`);
  const passed = stdout.split('\n').filter((line) => line.startsWith('PASS ')).length;
  const failures = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('PASS '));
  if (passed + failures.filter((line) => line.startsWith('FAIL ')).length !== files.length)
    throw new Error(`veraPDF checked other files: ${stdout}`);
  return failures;
}
