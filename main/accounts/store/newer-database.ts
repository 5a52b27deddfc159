/** Thrown if a newer version of Platen has changed the accounts database so that this version cannot use it. A restart does not help. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase';
}
