/** An attack of the hostile suite: a way to reach a server, run against an allowed and a forbidden one. */
import type { Fields } from '../../support/convert.ts';
import type { ResponseOptions } from '../../support/attacker.ts';

/** The target of an attack. The two servers differ only in their port. */
export interface Target {
  readonly id: string;
  readonly port: number;
  /** `127.0.0.1:port` */
  readonly host: string;
  /** The path to request with any protocol and address; an extension may follow. */
  readonly path: string;
  /** The http URL of the path. */
  readonly url: string;
  /** A URL on the allowed hostile server. */
  readonly serve: (body: string, served?: ResponseOptions) => string;
  /** A URL on the allowed hostile server that redirects to `to`. */
  readonly redirect: (status: number, to: string) => string;
  /** A URL that the page requests to report that its script continued after the attempt. */
  readonly ran: string;
}

export interface Attack {
  /** Ends the sentence "a page cannot reach a server on this machine by". */
  readonly by: string;
  /** A piece of HTML. */
  readonly page?: (aim: Target) => string;
  /** The script of the page, instead of HTML. */
  readonly script?: (aim: Target) => string;
  /** The response headers of the page, which comes from the server. */
  readonly headers?: (aim: Target) => Readonly<Record<string, string>>;
  /** The whole request, instead of a page; `hold` is HTML that keeps loading until the attempt has ended. */
  readonly fields?: (aim: Target, hold: string) => Fields;
  /** The page is sent in the request, or loaded from the hostile server. */
  readonly from?: 'text' | 'server';
  /** Each attempt needs its own page, because it leaves the page. */
  readonly ownPage?: true;
  /** The attempt starts after the load event, so a script must hold the page from then on. */
  readonly afterLoad?: true;
  /** Further options of the request. */
  readonly options?: Fields;
  /**
   * The browser itself prevents this attack, so it reaches no server and the guard refuses nothing. The page requests `ran` after
   * the attempt, or does something that is only possible then.
   */
  readonly blockedByBrowser?: true;
  /** The host in the guard's refusal, if it does not name the port. */
  readonly refusedHost?: string;
  /** The path that arrives at the allowed server, if it differs from the target's path. */
  readonly arrivalPath?: string;
  /** The attempt on the canary fails with 400.322. */
  readonly failsJob?: true;
  /** No allowed server exists for this attack, so only the canary is tried. */
  readonly canaryOnly?: true;
}

/** Reports that the script continued. Uses an image, because every page may load one. */
export const report = ({ ran }: Target): string => `new Image().src = ${JSON.stringify(ran)};`;
