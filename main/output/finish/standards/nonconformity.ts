/** What keeps a document from conforming to a standard. */

export interface Nonconformity {
  /** The number of the first page that is affected, from 1; absent if the document as a whole is. */
  readonly page?: number;
  /** What is wrong and what to change, as a clause without a full stop. */
  readonly reason: string;
}

const maxReasons = 20;

/**
 * Returns the reasons in the order of their pages, such as `page 2: the font Arial is not embedded`. Each reason appears once, with
 * the first page that it concerns.
 */
export function describeNonconformities(found: readonly Nonconformity[]): string[] {
  const firstByReason = new Map<string, Nonconformity>();
  for (const nonconformity of found)
    if ((nonconformity.page ?? 0) < (firstByReason.get(nonconformity.reason)?.page ?? Infinity))
      firstByReason.set(nonconformity.reason, nonconformity);
  const first = [...firstByReason.values()].sort((left, right) => (left.page ?? 0) - (right.page ?? 0));
  const texts = first
    .slice(0, maxReasons)
    .map(({ page, reason }) => (page === undefined ? reason : `page ${page}: ${reason}`));
  const further = first.length - texts.length;
  return further === 0 ? texts : [...texts, `${further} further reasons`];
}
