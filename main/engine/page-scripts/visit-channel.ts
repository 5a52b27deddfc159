/** The IPC message between page-preload.ts and visits.ts. */

/** A frame sends its origin and receives a VisitReply. */
export const visitChannel = 'visit';

export interface VisitReply {
  /** The job visits this origin for the first time. */
  readonly isFirst: boolean;
  /** CSS to insert into pages as a user style sheet. */
  readonly sheet: string;
  /** A script to run in the page's own world before its scripts. */
  readonly program: string | undefined;
}
