/** The IPC channels between page-preload.ts and the main process. */

/** Each frame sends its origin on this channel and receives a VisitReply (window/visits.ts). */
export const visitChannel = 'visit';

export interface VisitReply {
  /** Whether the job visits this origin for the first time. */
  readonly isFirst: boolean;
  /** CSS to insert into pages as a user style sheet. */
  readonly styleSheet: string;
  /** A script to run in the page's main world before the page's scripts; undefined for none. */
  readonly script: string | undefined;
}

/** The main process sends a PageCall on this channel to the main frame, which replies with a PageReply (devtools/page-calls.ts). */
export const callChannel = 'call';

/** A call of a method of Electron's `webFrame`. */
export interface PageCall {
  /** Unguessable, so that only the called frame can reply. */
  readonly replyChannel: string;
  readonly method: PageMethod;
  readonly parameters: readonly unknown[];
}

export type PageMethod =
  'executeJavaScript' | 'executeJavaScriptInIsolatedWorld' | 'insertCSS' | 'removeInsertedCSS';

export type PageReply = { readonly value: unknown } | { readonly error: unknown } | 'too large';
