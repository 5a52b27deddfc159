/**
 * An attack of the hostile suite: a way to reach a server. It runs against an allowed server and a forbidden server (the canary).
 */
import type { Fields } from '../../support/service/convert.ts';
import type { ResponseOptions } from '../../support/servers/attacker.ts';

/** The target of an attack: a path on the allowed or the forbidden server, which differ only in their port. */
export interface AttackTarget {
  readonly id: string;
  readonly port: number;
  /** `127.0.0.1:port` */
  readonly host: string;
  /** The path to request, with any protocol. A file extension may be appended. */
  readonly path: string;
  /** The HTTP URL of the path. */
  readonly url: string;
  /** Returns a URL on the allowed server, whose response has this body. */
  readonly serve: (body: string, served?: ResponseOptions) => string;
  /** Returns a URL on the allowed server that redirects to `to`. */
  readonly redirect: (status: number, to: string) => string;
  /** A URL on the allowed server that the page requests after the attempt, to report that it continued. */
  readonly ran: string;
}

export interface Attack {
  /** Completes the test title "A page cannot reach a server on this machine by ...". */
  readonly by: string;
  /** Returns HTML for the page. */
  readonly page?: (aim: AttackTarget) => string;
  /** Returns a script for the page. */
  readonly script?: (aim: AttackTarget) => string;
  /** Returns response headers of the page, which is then loaded from the allowed server. */
  readonly headers?: (aim: AttackTarget) => Readonly<Record<string, string>>;
  /** Returns the fields of the whole request, instead of a page. `hold`: HTML that keeps loading until the attempt has ended. */
  readonly fields?: (aim: AttackTarget, hold: string) => Fields;
  /**
   * Whether the page is sent in the request or loaded from the allowed server; default: `server` with `headers`, otherwise `text`.
   */
  readonly from?: 'text' | 'server';
  /** Whether the two targets are tried in separate pages, for example because an attempt navigates away. */
  readonly ownPage?: true;
  /** Whether the attempt starts after the load event, so that a script instead of an image must keep the page loading. */
  readonly afterLoad?: true;
  /** Further options of the request. */
  readonly options?: Fields;
  /**
   * Whether the browser itself prevents the attack, so that it reaches no server and the network guard refuses no request. The page
   * must request `ran` after the attempt, as a proof that it was made.
   */
  readonly blockedByBrowser?: true;
  /** The host in the network guard's refusal, by which the refusal is recognised; default: by the port. */
  readonly refusedHost?: string;
  /** The path that the allowed server receives, if it differs from the target's path. */
  readonly arrivalPath?: string;
  /** Whether the conversion fails with 400.322 if the target is the canary. */
  readonly failsJob?: true;
  /** Whether only the canary is tried, because the attack cannot use an allowed server. */
  readonly canaryOnly?: true;
}

/** Returns a script that requests `ran`. It loads an image, which every page may do. */
export const report = ({ ran }: AttackTarget): string => `new Image().src = ${JSON.stringify(ran)};`;
