/**
 * What a job's options mean for its requests: which are not made, what goes along with them and to whom, and what is
 * changed in their answers. Pure: requests.ts does it.
 */
import type { Job } from '../job/job.ts';
import type { Options } from '../job/options.ts';
import { isAdHost } from './ad-hosts.ts';

/** A request as Electron's webRequest describes it. */
export interface Asked {
  readonly url: string;
  readonly resourceType: string;
  /** Address of the main frame's document. */
  readonly page: string;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export type RequestHeaders = Readonly<Record<string, string>>;
export type ResponseHeaders = Readonly<Record<string, readonly string[]>>;

export interface RequestRules {
  /** The option that forbids the request, if one does. */
  readonly forbiddenBy: (asked: Asked) => string | undefined;
  /** The headers it is to be sent with; undefined: as they are. */
  readonly sent: (url: string, headers: RequestHeaders) => RequestHeaders | undefined;
  /** The headers it is to be taken with; undefined: as they are. */
  readonly taken: (resourceType: string, headers: ResponseHeaders) => ResponseHeaders | undefined;
  /** The answers changed are those to the job's own document too. */
  readonly changesDocuments: boolean;
  /** What to answer HTTP authentication with at an address. */
  readonly credentialsFor: (url: string) => Credentials | undefined;
  /** TLS certificates are taken as they come. */
  readonly anyCertificate: boolean;
}

/** Between jobs. */
export const noRules: RequestRules = {
  forbiddenBy: () => undefined,
  sent: () => undefined,
  taken: () => undefined,
  changesDocuments: false,
  credentialsFor: () => undefined,
  anyCertificate: false,
};

export function requestRules({ input, options }: Pick<Job, 'input' | 'options'>): RequestRules {
  const belongs = siteOf(input);
  const { http_auth_user_name: username, http_auth_password: password } = options;
  return {
    forbiddenBy: (asked) => forbiddenBy(options, asked),
    sent: sending(input, options, belongs),
    taken: (resourceType, headers) => taken({ input, options }, resourceType, headers),
    changesDocuments: options.disable_image_loading || options.disable_javascript,
    credentialsFor: (url) =>
      (username ?? password) !== undefined && belongs(url)
        ? { username: username ?? '', password: password ?? '' }
        : undefined,
    anyCertificate: !options.verify_ssl_certificates,
  };
}

/**
 * Whom the caller's cookies, header and password are for. A page at an address: its host, the hosts below it, and for
 * `www.` its host without it and what is below that; never unencrypted when the address was https. A document that was
 * sent has no site: every address.
 */
export function siteOf(input: Job['input']): (url: string) => boolean {
  if (input.kind !== 'url') return (url) => /^(https?|wss?):/i.test(url);
  const { protocol, hostname } = input.url;
  const site = hostname.replace(/^www\.(?=.*\.)/, '');
  const schemes = protocol === 'https:' ? /^(https|wss):/ : /^(https?|wss?):/;
  return (url) => {
    if (!URL.canParse(url)) return false;
    const other = new URL(url);
    return schemes.test(other.protocol) && isWithin(other.hostname, site);
  };
}

function isWithin(host: string, site: string): boolean {
  // Nothing is below an address.
  return host === site || (host.endsWith(`.${site}`) && !/^[\d.]+$|^\[/.test(site));
}

function forbiddenBy(options: Options, { url, resourceType, page }: Asked): string | undefined {
  const { block_ads, disable_image_loading, disable_remote_fonts, load_iframes } = options;
  if (block_ads && resourceType !== 'mainFrame' && isAdHost(hostOf(url))) return 'block_ads';
  if (disable_image_loading && resourceType === 'image') return 'disable_image_loading';
  if (disable_remote_fonts && resourceType === 'font' && /^https?:/.test(url)) return 'disable_remote_fonts';
  // Headers and footers with scripts are frames of our own (output/strips/strip-document.ts).
  if (resourceType !== 'subFrame' || ownFrame.test(url)) return undefined;
  const loaded =
    load_iframes === 'all' || (load_iframes === 'same-origin' && originOf(url) === originOf(page));
  return loaded ? undefined : 'load_iframes';
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

const ownFrame = /^platen:\/\/job\/[^?#]*platen-strip-[a-z_]+-\d+\.html$/;

/** The URL parser knows no origin of a scheme of one's own. */
function originOf(url: string): string {
  return /^(?:blob:)?([a-z]+:\/\/[^/?#]*)/i.exec(url)?.[1]?.toLowerCase() ?? url;
}

/** Cookies of a page at an address are in the browser's own jar (steps/set-cookies.ts), so that the page sees them. */
function sending(
  input: Job['input'],
  { custom_http_header, cookies }: Options,
  belongs: (url: string) => boolean,
): RequestRules['sent'] {
  const sentCookies = input.kind === 'url' ? undefined : cookies;
  if (custom_http_header === undefined && sentCookies === undefined) return noRules.sent;
  return (url, headers) => {
    if (!belongs(url)) return undefined;
    const { name, value } = custom_http_header ?? { name: '', value: '' };
    const whole = name === '' ? headers : withHeader(headers, name, value);
    return sentCookies === undefined ? whole : withCookies(whole, sentCookies);
  };
}

function withHeader<V>(
  headers: Readonly<Record<string, V>>,
  name: string,
  value: V,
): Readonly<Record<string, V>> {
  const others = Object.entries(headers).filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return { ...Object.fromEntries(others), [name]: value };
}

/** `name` in lower case. */
export function headerOf<V>(headers: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
}

/** A cookie that is there already is the server's own, and newer. */
function withCookies(headers: RequestHeaders, cookies: NonNullable<Options['cookies']>): RequestHeaders {
  const there = (headerOf(headers, 'cookie') ?? '').split(/;\s*/).filter((pair) => pair !== '');
  const names = new Set(there.map((pair) => pair.split('=')[0]));
  const added = cookies.filter(({ name }) => !names.has(name)).map(({ name, value }) => `${name}=${value}`);
  return withHeader(headers, 'Cookie', [...there, ...added].join('; '));
}

function taken(
  { input, options }: Pick<Job, 'input' | 'options'>,
  resourceType: string,
  headers: ResponseHeaders,
): ResponseHeaders | undefined {
  // Fonts are CORS requests (CSS Fonts 4, 4.9). A document that was sent has an origin no server can know, and would be
  // refused fonts by absolute address that a page of theirs, or a file on a desk, shows.
  if (resourceType === 'font' && input.kind !== 'url')
    return withHeader(headers, 'Access-Control-Allow-Origin', ['*']);
  const added = /^(main|sub)Frame$/.test(resourceType) ? addedPolicies(options) : [];
  if (added.length === 0) return undefined;
  const policies = headerOf(headers, 'content-security-policy') ?? [];
  return withHeader(headers, 'Content-Security-Policy', [...policies, ...added]);
}

/** Beside the page's own. */
function addedPolicies({ disable_image_loading, disable_javascript }: Options): readonly string[] {
  return [
    // Pictures inside the document (data:) are no requests.
    ...(disable_image_loading ? ["img-src 'none'"] : []),
    // Chromium lets scripts run again for a moment whenever a frame is added, before electron#47434 (run-once.ts).
    ...(disable_javascript ? ["script-src 'none'"] : []),
  ];
}
