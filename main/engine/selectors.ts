/** What is said of an option that should hold CSS selectors and does not: only the page can tell. */
import { Failure } from '../failure/failure.ts';
import { shortened } from '../job/problem.ts';

export function noSelectors(option: 'wait_for_element' | 'element_to_convert', value: string): Failure {
  return new Failure(
    'valueNotAllowed',
    `The value '${shortened(value)}' of ${option} is not allowed; allowed: a list of CSS selectors.`,
  );
}
