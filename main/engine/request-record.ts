/** What is known of a session's requests since its job began, and what the job's log says of them. */
import type { RequestEvent } from '../log/events.ts';
import {
  headerOf,
  noRules,
  type Credentials,
  type RequestHeaders,
  type RequestRules,
  type ResponseHeaders,
} from './request-rules.ts';
import { isOwnFile, shown } from './shown-address.ts';
import { calledOff, type Outcome } from './recording/failure-words.ts';
import { answered, asked, write, type Facts, type Told } from './tell-request.ts';

export interface FailedRequest {
  readonly url: string;
  /** In words that follow the address. */
  readonly how: string;
}

/** HTTP authentication (RFC 9110, 11). */
export interface Challenge {
  readonly url: string;
  readonly isProxy: boolean;
  readonly host: string;
  readonly port: number;
  readonly realm: string;
}

/** How a server answered. */
export interface Answer {
  readonly status: number;
  readonly statusLine: string;
  readonly responseHeaders: ResponseHeaders;
}

export interface OpenRequest {
  readonly url: string;
  readonly began: number;
  readonly resourceType: string;
  /** As sent, where somebody wants to know. */
  readonly headers?: RequestHeaders;
  /** As it began; what is answered so may still be thrown away. */
  readonly answer?: Answer;
}

/** What is known of a session's requests since the job began. */
export interface Traffic {
  readonly open: Map<number, OpenRequest>;
  readonly failures: FailedRequest[];
  readonly challenged: Set<string>;
  /** Hosts that the rules' headers were sent to, and options that forbade requests with their number. */
  readonly sentTo: Set<string>;
  readonly forbidden: Map<string, number>;
  /** Addresses of the job's own scheme that sites have redirected to, which no browser follows. */
  readonly ledHome: Set<string>;
  readonly began: number;
  readonly told: Told;
  readonly rules: RequestRules;
  /** How many more the page may make. */
  left: number;
  touched: boolean;
  page: string;
  pageStatus: number;
  pageCharset: string | undefined;
}

/** Of the job's own scheme the one host there is. Chromium has spelled what is asked here (WHATWG URL): lower case, no backslash. */
const allowedSchemes = /^((https?|wss?|data|blob|about):|platen:\/\/job\/)/;
const network = /^(https?|wss?):/;
const endless = new Set(['webSocket', 'ping', 'eventStream']);
const mostFailures = 100;

export function newTraffic(told: Told = {}, rules: RequestRules = noRules): Traffic {
  const counts = {
    challenged: new Set<string>(),
    sentTo: new Set<string>(),
    forbidden: new Map<string, number>(),
    ledHome: new Set<string>(),
  };
  const nothing = {
    left: Infinity,
    touched: false,
    page: '',
    pageStatus: 0,
    pageCharset: undefined,
    began: performance.now(),
  };
  return { open: new Map(), failures: [], ...counts, ...nothing, told, rules };
}

/** False for what is never loaded, and beyond the limit, of which no line is written: there may be any number. */
export function begins(traffic: Traffic, facts: Facts): boolean {
  const { id, url, resourceType } = facts;
  traffic.left -= 1;
  // Pages are let through: there are few (load-page.ts, and Chromium for redirects), and one refused would replace what is there.
  if (traffic.left < 0 && resourceType !== 'mainFrame') return false;
  if (!allowedSchemes.test(url) || traffic.ledHome.has(url)) {
    write(traffic, facts, { detail: { ...asked(facts), blocked: 'this scheme is never loaded' } });
    return false;
  }
  const option = traffic.rules.forbiddenBy({ url, resourceType, page: traffic.page });
  if (option !== undefined) {
    traffic.forbidden.set(option, (traffic.forbidden.get(option) ?? 0) + 1);
    write(traffic, facts, { detail: { ...asked(facts), blocked: `by ${option}` } });
    return false;
  }
  if (resourceType === 'mainFrame') beginsPage(traffic, url);
  traffic.touched ||= network.test(url);
  traffic.open.set(id, { url, began: performance.now(), resourceType });
  return true;
}

export function redirects({ ledHome }: Traffic, from: string, to: string): void {
  if (network.test(from) && to.startsWith('platen:')) ledHome.add(to);
}

/** Another page, or the same one after a redirect; what failed before is no part of it. */
function beginsPage(traffic: Traffic, url: string): void {
  traffic.page = url;
  traffic.pageStatus = 0;
  traffic.failures.length = 0;
}

export function fails({ failures }: Traffic, url: string, how: string): void {
  if (failures.length < mostFailures) failures.push({ url: shown(url), how });
}

export function ends(traffic: Traffic, facts: Facts, outcome: RequestEvent['detail']): void {
  const request = traffic.open.get(facts.id);
  // Of an earlier job.
  if (request === undefined) return;
  traffic.open.delete(facts.id);
  const took = Math.round(performance.now() - request.began);
  const began = Math.max(0, Math.round((traffic.told.log?.now ?? 0) - took));
  const detail = { ...asked(facts), began, ...answered(facts), ...outcome };
  write(traffic, { ...facts, headers: request.headers }, { took, detail });
}

/** A server's answer has begun. */
export function answers({ open }: Traffic, id: number, answer: Answer): void {
  const request = open.get(id);
  if (request !== undefined) open.set(id, { ...request, answer });
}

/** `outcome` is what the browser says; a page that says that something is missing is thrown away where no page was asked for. */
export function breaksOff(traffic: Traffic, facts: Facts, outcome: Outcome): void {
  const answer = traffic.open.get(facts.id)?.answer ?? answerIn(facts);
  const isRefusal = answer !== undefined && answer.status >= 400;
  if (isRefusal && traffic.open.has(facts.id))
    fails(traffic, facts.url, `was answered with status ${answer.status}`);
  // What the page itself, or the next page, called off has not failed.
  else if (outcome.failed !== calledOff && traffic.open.has(facts.id))
    fails(traffic, facts.url, 'did not arrive');
  const from = isOwnFile(facts.url) ? 'job' : 'network';
  const known = answer && ({ status: answer.status, from } as const);
  ends(traffic, { ...facts, ...answer }, { ...known, ...(!isRefusal && outcome) });
}

/** Of a job's own files nobody is told when their answer begins. */
function answerIn({ url, statusCode, statusLine = '', responseHeaders }: Facts): Answer | undefined {
  if (!isOwnFile(url) || statusCode === undefined || responseHeaders === undefined) return undefined;
  return { status: statusCode, statusLine, responseHeaders };
}

/** What is going to be sent is known before it is. */
export function sends({ open, told }: Traffic, id: number, headers: RequestHeaders): void {
  const request = open.get(id);
  if (request !== undefined && told.recording !== undefined) open.set(id, { ...request, headers });
}

export function answerTo(
  traffic: Traffic,
  { url, isProxy, host, port, realm }: Challenge,
): Credentials | undefined {
  const key = `${host}:${port} ${realm}`;
  if (isProxy || traffic.challenged.has(key)) return undefined;
  const credentials = traffic.rules.credentialsFor(url);
  if (credentials === undefined) return undefined;
  traffic.challenged.add(key);
  traffic.told.log?.note(`http_auth_user_name and http_auth_password were sent to ${host}:${port}.`, {
    code: 'credentials-sent',
    options: ['http_auth_user_name', 'http_auth_password'],
  });
  return credentials;
}

export function noteForbidden({ forbidden, told: { log } }: Traffic): void {
  for (const [option, count] of forbidden)
    log?.note(`${count} request${count === 1 ? ' was' : 's were'} not made because of ${option}.`, {
      code: 'blocked-resource',
      options: [option],
    });
}

export function noteSending({ sentTo, told: { log } }: Traffic, url: string): void {
  const host = new URL(url).host;
  if (log?.recorded !== true || sentTo.has(host)) return;
  sentTo.add(host);
  log.note(`The job's cookies or its custom_http_header were sent to ${host}.`, {
    code: 'credentials-sent',
    options: ['cookies', 'custom_http_header'],
  });
}

export function answersPage(traffic: Traffic, status: number, headers: ResponseHeaders): void {
  traffic.pageStatus = status;
  traffic.pageCharset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentTypeIn(headers))?.[1];
}

/** An event stream is known by its type alone (HTML, 9.2). */
export function neverEnds({ open }: Traffic, id: number, headers: ResponseHeaders): void {
  const type = contentTypeIn(headers);
  const request = open.get(id);
  if (request !== undefined && /^text\/event-stream/i.test(type))
    open.set(id, { ...request, resourceType: 'eventStream' });
}

function contentTypeIn(headers: ResponseHeaders): string {
  return headerOf(headers, 'content-type')?.[0] ?? '';
}

/** Whether something is on its way over the network still; what is done with a web socket's end is not told. */
export function isOnNetwork({ open }: Traffic): boolean {
  return [...open.values()].some(({ url }) => /^https?:/.test(url));
}

export function awaited({ open }: Traffic): OpenRequest[] {
  return [...open.values()].filter(({ resourceType }) => !endless.has(resourceType));
}

/** A film goes on arriving for as long as nobody plays it, so it is not late. */
export function cutOff(traffic: Traffic): OpenRequest[] {
  return awaited(traffic).filter(({ resourceType }) => resourceType !== 'media');
}
