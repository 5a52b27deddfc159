/** A newer program has changed the accounts database; the message says so, and what to do. No later start does better. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase';
}
