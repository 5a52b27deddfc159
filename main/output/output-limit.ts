/** The largest output there may be: the operator's setting, and what the caller of a larger one is told. */
import { Failure } from '../failure/failure.ts';
import type { Options } from '../job/options.ts';

/** @throws Failure tooComplex for more bytes than `most` */
export function refuseBeyond(most: number, bytes: number, { output_format }: Options): void {
  if (bytes <= most) return;
  const [what, remedy] =
    output_format === 'pdf'
      ? ['document', 'Split the document, or make its pictures smaller.']
      : ['picture', 'Make the picture smaller, or choose another output_format.'];
  throw new Failure(
    'tooComplex',
    `The ${what} would have ${megabytes(bytes)}; the limit is ${megabytes(most)}. ${remedy}`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e4) / 100} MB`;
}
