/** What an attack of the hostile suite is: a way to a server, that is tried on one it may reach and on one it may not. */
import type { Fields } from '../../support/convert.ts';
import type { Served } from '../../support/attacker.ts';

/** Where an attack is to lead. The two servers it is tried on differ in nothing but the port. */
export interface Aim {
  readonly id: string;
  readonly port: number;
  /** `127.0.0.1:port` */
  readonly host: string;
  /** What is to be reached at the server, by whatever protocol and address; an extension may be added. */
  readonly path: string;
  /** By http. */
  readonly url: string;
  /** Address of something on the hostile server, which may be reached. */
  readonly serve: (body: string, served?: Served) => string;
  /** Address there that leads on by a redirect. */
  readonly redirect: (status: number, to: string) => string;
  /** Address that a page asks for to say that its script went on after the attempt. */
  readonly ran: string;
}

export interface Attack {
  /** Ends the sentence "a page cannot reach a server on this machine by". */
  readonly by: string;
  /** A piece of HTML. */
  readonly page?: (aim: Aim) => string;
  /** The page's script, in place of a piece of HTML. */
  readonly script?: (aim: Aim) => string;
  /** The page's response headers; it comes from the server. */
  readonly headers?: (aim: Aim) => Readonly<Record<string, string>>;
  /** The whole request, in place of a page; `hold` is a piece of HTML that is loaded until the attempt is over. */
  readonly fields?: (aim: Aim, hold: string) => Fields;
  /** The page is sent, or loaded from the hostile server. */
  readonly from?: 'text' | 'server';
  /** One page can't hold both attempts: it is left by the first one. */
  readonly apart?: true;
  /** It begins when the page has loaded, so what holds the page is a script that runs then. */
  readonly late?: true;
  /** More options of the request. */
  readonly options?: Fields;
  /**
   * The browser does this nowhere, so no server is reached and nothing refused. The page asks for `ran` after the
   * attempt, or something it can do only then.
   */
  readonly barred?: true;
  /** The host of the guard's refusal, where it doesn't name the port. */
  readonly refused?: string;
  /** What arrives at the allowed server, where it is not the aim's path. */
  readonly arrives?: string;
  /** The attempt on the canary fails with 400.322. */
  readonly fails?: true;
  /** Nobody may answer there, so there is no attempt that succeeds. */
  readonly unanswered?: true;
}

/** Says that the script went on; a picture, because every page may load one. */
export const report = ({ ran }: Aim): string => `new Image().src = ${JSON.stringify(ran)};`;
