/**
 * The one owner of webRequest in a session: Electron keeps only the last listener of each event. It counts what is under
 * way, writes requests to the debug log, cancels what has no business here, and does to the rest what the job's rules
 * say. Which hosts may be reached is the network guard's decision, below the browser.
 */
import type { Session } from 'electron';
import type { JobDocument } from './job-document.ts';
import { withoutLasting } from './lasting-headers.ts';
import { keepOwnFiles } from './own-files.ts';
import { outcomeOf } from './recording/failure-words.ts';
import {
  answers,
  answersPage,
  answerTo,
  awaited,
  begins,
  breaksOff,
  cutOff,
  ends,
  fails,
  isOnNetwork,
  newTraffic,
  neverEnds,
  noteForbidden,
  noteSending,
  redirects,
  sends,
  type Challenge,
  type FailedRequest,
  type Traffic,
} from './request-record.ts';
import { noRules, type Credentials, type RequestRules } from './request-rules.ts';
import { isOwnFile, shown } from './shown-address.ts';
import { openTurnstile } from './turnstile.ts';
import { hideCookies, write, type Told } from './tell-request.ts';

export type { Challenge, FailedRequest } from './request-record.ts';

export interface Requests {
  /** Requests under way that a page may be waiting for; event streams and sockets never end, so they do not count. */
  readonly underWay: () => number;
  /** Those of them that style sheets make: for sheets, pictures and fonts. */
  readonly showing: () => number;
  /** True once anything left for the network since `begin`. */
  readonly touchedNetwork: () => boolean;
  /** Addresses under way, for the log. */
  readonly pending: () => readonly string[];
  /** What went wrong with the requests of the page that is there, oldest first. */
  readonly failures: () => readonly FailedRequest[];
  /** HTTP status the main frame was last answered with; 0 when nothing came. */
  readonly pageStatus: () => number;
  /** Milliseconds since `begin`. */
  readonly elapsed: () => number;
  /** What is under way will be cut off: it failed. */
  readonly giveUp: () => void;
  /** What to answer a challenge with, once for each: a wrong password must not be tried for ever. */
  readonly answerTo: (challenge: Challenge) => Credentials | undefined;
  /** While it is true nothing new is asked for, and nothing is said of it. */
  readonly refuse: (refused: boolean) => void;
  /** Character set that the main frame's answer named; undefined when it named none. */
  readonly pageCharset: () => string | undefined;
  readonly takesAnyCertificate: () => boolean;
  /** Requests were refused because there had been too many. */
  readonly exceeded: () => boolean;
  /** Resolves when nothing is on its way over the network any more. @throws Error when that takes too long */
  readonly drained: () => Promise<void>;
  readonly begin: (told: Told, rules: RequestRules) => void;
  /** Events after this belong to no job. */
  readonly end: () => void;
}

const shows: ReadonlySet<string> = new Set(['stylesheet', 'image', 'font']);

interface Watching {
  readonly document: JobDocument;
  /** How many a job may make; undefined: any number. */
  readonly most?: number | undefined;
}

export function watchRequests(session: Session, { document, most = Infinity }: Watching): Requests {
  const watched: Watched = { traffic: newTraffic(), refused: false, document };
  listenTo(session, watched);
  return {
    underWay: () => awaited(watched.traffic).length,
    showing: () => awaited(watched.traffic).filter(({ resourceType }) => shows.has(resourceType)).length,
    touchedNetwork: () => watched.traffic.touched,
    pending: () => awaited(watched.traffic).map(({ url }) => shown(url)),
    failures: () => watched.traffic.failures,
    pageStatus: () => watched.traffic.pageStatus,
    elapsed: () => performance.now() - watched.traffic.began,
    giveUp() {
      for (const { url } of cutOff(watched.traffic)) fails(watched.traffic, url, 'was still on its way');
    },
    answerTo: (challenge) => answerTo(watched.traffic, challenge),
    refuse(refused) {
      watched.refused = refused;
    },
    pageCharset: () => watched.traffic.pageCharset,
    takesAnyCertificate: () => watched.traffic.rules.anyCertificate,
    exceeded: () => watched.traffic.left < 0,
    drained: () => drained(watched),
    begin(told, rules) {
      watched.traffic = Object.assign(newTraffic(told, rules), { left: most });
      watched.refused = false;
      if (rules.changesDocuments) readAnswers(session.webRequest, watched, all);
    },
    end() {
      const { traffic } = watched;
      watched.refused = false;
      noteForbidden(traffic);
      if (traffic.rules.changesDocuments) readAnswers(session.webRequest, watched, overNetwork);
      // The blank page is at such an address, too.
      watched.traffic = { ...traffic, told: {}, rules: noRules, ledHome: new Set() };
    },
  };
}

/** Milliseconds; what nobody lets through fails within a few. */
const drainingPatience = 3000;

async function drained({ traffic }: Watched): Promise<void> {
  const until = performance.now() + drainingPatience;
  while (isOnNetwork(traffic)) {
    if (performance.now() > until) throw new Error('requests of the job go on after its end');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

interface Watched {
  readonly document: JobDocument;
  traffic: Traffic;
  refused: boolean;
}

const all = { urls: ['<all_urls>'] };

/** A listener costs a millisecond for each request it hears of, and a job's own files have no headers to be changed. */
const overNetwork = { urls: ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*'] };

/** What becomes of a request is more tasks, half a millisecond in all. */
const mostInOneTurn = 40;

function listenTo({ webRequest }: Session, watched: Watched): void {
  const passOn = openTurnstile(mostInOneTurn);
  webRequest.onBeforeRequest(all, (details, answer) => {
    const begun = !watched.refused && begins(watched.traffic, details);
    const said = begun ? (keepOwnFiles(details, watched.document) ?? {}) : { cancel: true };
    passOn(() => {
      answer(said);
    });
  });
  readAnswers(webRequest, watched, overNetwork);
  webRequest.onBeforeSendHeaders(overNetwork, ({ id, url, requestHeaders }, answer) => {
    const changed = watched.traffic.rules.sent(url, requestHeaders);
    if (changed !== undefined) noteSending(watched.traffic, url);
    sends(watched.traffic, id, changed ?? requestHeaders);
    answer(changed === undefined ? {} : { requestHeaders: changed });
  });
  webRequest.onBeforeRedirect(all, ({ id, url: from, redirectURL }) => {
    redirects(watched.traffic, from, redirectURL);
    const url = watched.traffic.open.get(id)?.url;
    if (url === undefined) return;
    write(watched.traffic, { url }, { detail: { redirected: shown(redirectURL) } });
  });
  webRequest.onCompleted(all, (details) => {
    const { statusCode: status, fromCache, url } = details;
    if (status >= 400 && watched.traffic.open.has(details.id))
      fails(watched.traffic, url, `was answered with status ${status}`);
    ends(watched.traffic, details, {
      status,
      from: fromCache ? 'cache' : isOwnFile(url) ? 'job' : 'network',
    });
  });
  webRequest.onErrorOccurred(all, (details) => {
    breaksOff(watched.traffic, details, outcomeOf({ error: details.error }));
  });
}

function readAnswers(
  webRequest: Session['webRequest'],
  watched: Watched,
  filter: Electron.WebRequestFilter,
): void {
  webRequest.onHeadersReceived(filter, (details, answer) => {
    const { id, resourceType, statusCode, statusLine, responseHeaders = {} } = details;
    neverEnds(watched.traffic, id, responseHeaders);
    answers(watched.traffic, id, { status: statusCode, statusLine, responseHeaders });
    hideCookies(watched.traffic, responseHeaders);
    if (resourceType === 'mainFrame') answersPage(watched.traffic, statusCode, responseHeaders);
    const plain = withoutLasting(responseHeaders);
    const changed = watched.traffic.rules.taken(resourceType, plain ?? responseHeaders) ?? plain;
    answer(changed === undefined ? {} : { responseHeaders: changed as Record<string, string[]> });
  });
}
