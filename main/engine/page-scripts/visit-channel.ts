/** The IPC channel between page-preload.ts and window/visits.ts. */

/** Each frame sends its origin on this channel and receives a VisitReply. */
export const visitChannel = 'visit';

export interface VisitReply {
  /** Whether the job visits this origin for the first time. */
  readonly isFirst: boolean;
  /** CSS to insert into pages as a user style sheet. */
  readonly styleSheet: string;
  /** A script to run in the page's main world before the page's scripts; undefined for none. */
  readonly script: string | undefined;
}
