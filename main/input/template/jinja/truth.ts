/** Python's truth: the empty object is false. */
import { isPlainObject, isTrue } from '../values.ts';

export function truth(value: unknown): boolean {
  return isPlainObject(value) ? Object.keys(value).length > 0 : isTrue(value);
}
