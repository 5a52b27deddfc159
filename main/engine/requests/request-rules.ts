/**
 * Derives request rules from a job's options: which requests are blocked, which headers and credentials are sent,
 * and how response headers change. Pure; request-tracker.ts applies the rules.
 */
import type { Job } from '../../job/job.ts';
import type { Options } from '../../job/options.ts';
import { isAdHost } from './ad-hosts.ts';
import { parsedUrl } from '../../fields/parsed-url.ts';

/** A request as Electron's webRequest describes it. */
export interface RequestInfo {
  readonly url: string;
  readonly resourceType: string;
  /** Address of the main frame's document. */
  readonly pageUrl: string;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export type RequestHeaders = Readonly<Record<string, string>>;
export type ResponseHeaders = Readonly<Record<string, readonly string[]>>;

export interface RequestRules {
  /** Returns the name of the option that blocks the request, if any. */
  readonly blockingOption: (request: RequestInfo) => string | undefined;
  /** Returns the changed request headers; undefined leaves them unchanged. */
  readonly changeRequestHeaders: (url: string, headers: RequestHeaders) => RequestHeaders | undefined;
  /** Whether `changeRequestHeaders` or `readsDocuments` changes request headers. */
  readonly changesRequestHeaders: boolean;
  /** Returns the changed response headers; undefined leaves them unchanged. */
  readonly changeResponseHeaders: (
    resourceType: string,
    headers: ResponseHeaders,
  ) => ResponseHeaders | undefined;
  /** The rules also change the response headers of the job's own document. */
  readonly changesDocumentHeaders: boolean;
  /** Returns the credentials for HTTP authentication at an address, if any. */
  readonly credentialsFor: (url: string) => Credentials | undefined;
  /** TLS certificates are not verified. */
  readonly acceptsAnyCertificate: boolean;
  /** Documents are read before the page receives them, so servers are asked not to compress them. */
  readonly readsDocuments: boolean;
}

/** The rules between jobs, which change nothing. */
export const noRules: RequestRules = {
  blockingOption: () => undefined,
  changeRequestHeaders: () => undefined,
  changesRequestHeaders: false,
  changeResponseHeaders: () => undefined,
  changesDocumentHeaders: false,
  credentialsFor: () => undefined,
  acceptsAnyCertificate: false,
  readsDocuments: false,
};

export function requestRules({ input, options }: Pick<Job, 'input' | 'options'>): RequestRules {
  const isOnSite = siteMatcher(input);
  const { http_auth_user_name: username, http_auth_password: password } = options;
  const changeRequestHeaders = requestHeaderRule(input, options, isOnSite);
  const readsDocuments = input.kind === 'url' && options.default_encoding !== undefined;
  return {
    blockingOption: (request) => blockingOption(options, request),
    changeRequestHeaders,
    changesRequestHeaders: readsDocuments || changeRequestHeaders !== noRules.changeRequestHeaders,
    changeResponseHeaders: (resourceType, headers) =>
      changedResponseHeaders({ input, options }, resourceType, headers),
    changesDocumentHeaders: options.disable_image_loading || options.disable_javascript,
    credentialsFor: (url) =>
      (username ?? password) !== undefined && isOnSite(url)
        ? { username: username ?? '', password: password ?? '' }
        : undefined,
    acceptsAnyCertificate: !options.verify_ssl_certificates,
    readsDocuments,
  };
}

/**
 * Returns a function that tests whether an address may receive the caller's cookies, header and password. If the input is `url`,
 * these are addresses of its host and subdomains. For a `www.` host, they include the host without `www.` and its subdomains. If
 * `url` is https, they are only https and wss addresses. Other inputs have no site, so every http and WebSocket address may receive
 * them.
 */
export function siteMatcher(input: Job['input']): (url: string) => boolean {
  if (input.kind !== 'url') return (url) => /^(https?|wss?):/i.test(url);
  const { protocol, hostname } = input.url;
  const site = hostname.replace(/^www\.(?=.*\.)/, '');
  const schemes = protocol === 'https:' ? /^(https|wss):/ : /^(https?|wss?):/;
  return (url) => {
    const requestUrl = parsedUrl(url);
    if (requestUrl === undefined) return false;
    return schemes.test(requestUrl.protocol) && isWithin(requestUrl.hostname, site);
  };
}

function isWithin(host: string, site: string): boolean {
  // IP addresses have no subdomains.
  return host === site || (host.endsWith(`.${site}`) && !/^[\d.]+$|^\[/.test(site));
}

function blockingOption(options: Options, { url, resourceType, pageUrl }: RequestInfo): string | undefined {
  const { block_ads, disable_image_loading, disable_remote_fonts, load_iframes } = options;
  if (block_ads && resourceType !== 'mainFrame' && isAdHost(hostOf(url))) return 'block_ads';
  if (disable_image_loading && resourceType === 'image') return 'disable_image_loading';
  if (disable_remote_fonts && resourceType === 'font' && /^https?:/.test(url)) return 'disable_remote_fonts';
  // The service shows headers and footers with scripts in frames (output/header-footer/print.ts).
  if (resourceType !== 'subFrame' || headerFooterFrame.test(url)) return undefined;
  const loaded =
    load_iframes === 'all' || (load_iframes === 'same-origin' && originOf(url) === originOf(pageUrl));
  return loaded ? undefined : 'load_iframes';
}

function hostOf(url: string): string {
  return parsedUrl(url)?.hostname ?? '';
}

const headerFooterFrame = /^platen:\/\/job\/[^?#]*platen-header-footer-[a-z_]+-\d+\.html$/;

/**
 * Returns the origin of an address, also for custom schemes, whose origin the URL parser does not return. Returns the address
 * itself if it has no host.
 */
function originOf(url: string): string {
  return /^(?:blob:)?([a-z]+:\/\/[^/?#]*)/i.exec(url)?.[1]?.toLowerCase() ?? url;
}

/**
 * Returns the rule for request headers. If the input is `url`, the rule does not add cookies: they are in the browser's cookie
 * store (loading/steps/emulate.ts), where the page's scripts can read them.
 */
function requestHeaderRule(
  input: Job['input'],
  { custom_http_header, cookies }: Options,
  isOnSite: (url: string) => boolean,
): RequestRules['changeRequestHeaders'] {
  const sentCookies = input.kind === 'url' ? undefined : cookies;
  if (custom_http_header === undefined && sentCookies === undefined) return noRules.changeRequestHeaders;
  return (url, headers) => {
    if (!isOnSite(url)) return undefined;
    const { name, value } = custom_http_header ?? { name: '', value: '' };
    const withCustom = name === '' ? headers : withHeader(headers, name, value);
    return sentCookies === undefined ? withCustom : withCookies(withCustom, sentCookies);
  };
}

export function withHeader<V>(
  headers: Readonly<Record<string, V>>,
  name: string,
  value: V,
): Readonly<Record<string, V>> {
  const others = Object.entries(headers).filter(
    ([headerName]) => headerName.toLowerCase() !== name.toLowerCase(),
  );
  return { ...Object.fromEntries(others), [name]: value };
}

/** Returns the value of a header, if present. `name` must be lower case. */
export function headerOf<V>(headers: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.entries(headers).find(([headerName]) => headerName.toLowerCase() === name)?.[1];
}

/** Adds the caller's cookies. Existing cookies take precedence, because they came from the server and are newer. */
function withCookies(headers: RequestHeaders, cookies: NonNullable<Options['cookies']>): RequestHeaders {
  const existing = (headerOf(headers, 'cookie') ?? '').split(/;\s*/).filter((pair) => pair !== '');
  const names = new Set(existing.map((pair) => pair.split('=')[0]));
  const added = cookies.filter(({ name }) => !names.has(name)).map(({ name, value }) => `${name}=${value}`);
  return withHeader(headers, 'Cookie', [...existing, ...added].join('; '));
}

function changedResponseHeaders(
  { input, options }: Pick<Job, 'input' | 'options'>,
  resourceType: string,
  headers: ResponseHeaders,
): ResponseHeaders | undefined {
  // Fonts are CORS requests (CSS Fonts 4, 4.9), and servers do not expect the origin of an uploaded document. Without this header,
  // the document would not get fonts that the original page gets.
  if (resourceType === 'font' && input.kind !== 'url')
    return withHeader(headers, 'Access-Control-Allow-Origin', ['*']);
  const added = isDocument(resourceType) ? addedPolicies(options) : [];
  if (added.length === 0) return undefined;
  const policies = headerOf(headers, 'content-security-policy') ?? [];
  return withHeader(headers, 'Content-Security-Policy', [...policies, ...added]);
}

/** Returns whether a request of this type, as Electron names it, loads the document of a frame. */
export function isDocument(resourceType: string): boolean {
  return resourceType === 'mainFrame' || resourceType === 'subFrame';
}

/** Returns the Content-Security-Policies to add to the page's own. */
function addedPolicies({ disable_image_loading, disable_javascript }: Options): readonly string[] {
  return [
    // Also covers images inside the document (data:), which make no requests.
    ...(disable_image_loading ? ["img-src 'none'"] : []),
    // Before electron#47434, Chromium briefly enables scripts whenever a frame is added (run-once.ts).
    ...(disable_javascript ? ["script-src 'none'"] : []),
  ];
}

// Chromium refuses some ports for every host (Fetch, 2.9: bad ports), before the request reaches the network guard. Callers get the
// error for an address that is not allowed.

/** Returns whether a load failed because of a bad port. `problem` is Chromium's error. */
export function isUnsafePort(problem: string): boolean {
  return /\bERR_UNSAFE_PORT\b/.test(problem);
}

/**
 * Returns the message for a bad port. The list of ports is public, so the message reveals nothing about the host.
 */
export function unsafePortMessage(subject: string): string {
  return `The address of ${subject} is not allowed: browsers block its port.`;
}
