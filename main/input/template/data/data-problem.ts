/** What is wrong with the data, as a whole sentence. */
import { excerpt, placeOf } from '../problem.ts';

export class DataProblem extends Error {}

/** A problem at an offset of the data: "The data is not valid JSON at line 2, column 5: ... (near '...')." */
export function dataProblem(
  format: string,
  clause: string,
  found: { text: string; offset: number },
): DataProblem {
  const place = placeOf(found.text, found.offset);
  return new DataProblem(
    `The data is not valid ${format} at line ${place.line}, column ${place.column}: ${clause}, near ${excerpt(found.text, place)}.`,
  );
}
