/** What page-preload.ts and visits.ts share. */

/** A frame tells its origin, and is answered with an Arrival. */
export const arrivalChannel = 'arrival';

export interface Arrival {
  /** The job visits this origin for the first time. */
  readonly isFirst: boolean;
  /** CSS that pages have from the beginning, as a user's sheet. */
  readonly sheet: string;
}
