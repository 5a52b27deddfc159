/** DataProblem: an error in the data. Its message is a whole sentence. */
import { excerpt, placeOf } from '../problem.ts';

export class DataProblem extends Error {}

/** Creates a problem at an offset of the data: "The data is not valid JSON at line 2, column 5: ..., near '...'." */
export function dataProblem(
  format: string,
  clause: string,
  position: { text: string; offset: number },
): DataProblem {
  const place = placeOf(position.text, position.offset);
  return new DataProblem(
    `The data is not valid ${format} at line ${place.line}, column ${place.column}: ${clause}, near ${excerpt(position.text, place)}.`,
  );
}
