/** Which format an output has: what was said, else what its name says, else PDF; and which extension that is. */
import { extname } from 'node:path';
import { table } from '../../job/options.ts';
import { UsageProblem } from '../usage-problem.ts';

type Format = ReturnType<(typeof table)['output_format']['kind']['read']> & string;

/** Other spellings. */
const extensions: Readonly<Partial<Record<string, Format>>> = { jpeg: 'jpg', jpe: 'jpg', tif: 'tiff' };

/** Undefined for a name that does not tell. */
export function formatOfName(name: string): Format | undefined {
  const extension = extname(name).slice(1).toLowerCase();
  return extensions[extension] ?? (extension === '' ? undefined : table.output_format.kind.read(extension));
}

/** @throws UsageProblem for a format that is none, or a name that tells none */
export function outputFormat(written: string | undefined, output: string | undefined): Format {
  if (written !== undefined && written !== '') {
    const format = table.output_format.kind.read(written);
    if (format !== undefined) return format;
    throw new UsageProblem(
      `the format '${written}' is not known; known are ${table.output_format.kind.allowed}.`,
    );
  }
  return (output === undefined ? undefined : formatOfName(output)) ?? 'pdf';
}
