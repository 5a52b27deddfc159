/** Prints whether a refill is due before and at midnight in Berlin, on a day of 23 hours, in the time zone of this process. */
import { refillIsDue } from '../../../main/accounts/ledger/refill.ts';

const at = (text: string) => new Date(text).getTime();
const noon = at('2026-03-29T12:00:00');
console.log(
  refillIsDue('day', noon, at('2026-03-29T21:59:59Z')),
  refillIsDue('day', noon, at('2026-03-29T22:00:00Z')),
);
