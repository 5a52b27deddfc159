/** The kinds of values that only settings use. */
import { isAbsolute, resolve } from 'node:path';
import { listOf, type Kind } from '../fields/kinds.ts';

export interface AccountEntry {
  readonly user: string;
  readonly key: string;
  /** Absent if unlimited. */
  readonly credits?: number;
}

/** Accounts in the form `user:key[:credits],...`. */
export const accountList: Kind<readonly AccountEntry[]> = listOf(
  'user:key or user:key:credits, separated by commas',
  (element) => {
    const [user, key, credits, ...extra] = element.split(':');
    if (user === undefined || user === '' || key === undefined || key === '' || extra.length > 0)
      return undefined;
    if (credits === undefined) return { user, key };
    return /^\d{1,12}$/.test(credits) ? { user, key, credits: Number(credits) } : undefined;
  },
);

/** The URL of an HTTP proxy. */
export const proxyUrl: Kind<string> = urlKind(
  'http://[user:password@]host:port',
  (url) => url.protocol === 'http:' && url.pathname === '/',
);

/** A base URL for links, without a trailing slash. */
export const baseUrl: Kind<string> = urlKind(
  'an http or https address such as https://pdf.example.com',
  (url) => /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '',
);

/** A vendor prefix. It becomes part of header names and CSS class names, so it must be a plain lower-case word. */
export const vendorPrefix: Kind<string> = {
  allowed: 'a word of lower-case letters and digits other than service',
  schema: { type: 'string', pattern: '^[a-z][a-z0-9]{0,31}$' },
  read: (text) => (/^[a-z][a-z0-9]{0,31}$/.test(text) && text !== 'service' ? text : undefined),
};

/** Origins of web pages (RFC 6454), normalised as browsers write them. */
export const origins: Kind<readonly string[]> = listOf(
  'origins such as https://erp.example.com:8443, separated by commas',
  (element) => {
    if (!/^https?:\/\//i.test(element) || !URL.canParse(element)) return undefined;
    const url = new URL(element);
    return url.href === `${url.origin}/` ? url.origin : undefined;
  },
);

/** Files by the names of accounts: `account=file,...`. */
export const accountFiles: Kind<readonly { readonly account: string; readonly file: string }[]> = listOf(
  'account=file, separated by commas',
  (element) => {
    const [, account = '', file = ''] = /^([^=]+)=(.+)$/.exec(element) ?? [];
    return file === '' ? undefined : { account, file };
  },
);

/** The address of a time stamp server. */
export const timestampUrl: Kind<string> = urlKind('an http or https address', (url) =>
  /^https?:$/.test(url.protocol),
);

/** Absolute paths, normalised and without a trailing separator. */
export const folders: Kind<readonly string[]> = listOf(
  'absolute paths of folders, separated by commas',
  (element) => (isAbsolute(element) ? resolve(element) : undefined),
);

function urlKind(allowed: string, accepts: (url: URL) => boolean): Kind<string> {
  return {
    allowed,
    schema: { type: 'string', format: 'uri' },
    read(text) {
      if (!URL.canParse(text)) return undefined;
      const url = new URL(text);
      return accepts(url) ? url.href.replace(/(?<!\/)\/+$/, '') : undefined;
    },
  };
}
