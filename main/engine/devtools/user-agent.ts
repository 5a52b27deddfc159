/** The user agent, client hints and languages that a page sees. Pure. */
import type { Options } from '../../job/options.ts';

/** Client hints (UA-CH) that match a user agent. */
interface Hints {
  readonly brands: readonly { readonly brand: string; readonly version: string }[];
  readonly platform: string;
  readonly platformVersion: string;
  readonly architecture: string;
  readonly model: string;
  readonly mobile: boolean;
}

export interface BrowserIdentity {
  readonly userAgent: string;
  /** Language tags in order of preference, separated by commas, without quality values. */
  readonly languages: string;
  /** The default locale with which scripts format dates and numbers. */
  readonly locale: string;
  /** `navigator.platform`. */
  readonly platform?: string;
  readonly hints?: Hints;
}

export interface ChromiumInfo {
  /** Electron's default user agent, which names Electron and the application. */
  readonly userAgent: string;
  /** Chromium's version, such as 130.0.6723.137. */
  readonly chrome: string;
}

type IdentityOptions = Pick<Options, 'converter_user_agent' | 'locale'>;

/** Returns the default identity of a session, before a job chooses one. */
export function defaultIdentity(runtime: ChromiumInfo): BrowserIdentity {
  const { userAgent, chrome } = runtime;
  // Like Chrome's user agent: no Electron or application name, and only the major version.
  const bare = userAgent.replace(/ (?!Chrome\/|Safari\/|AppleWebKit\/)[^\s/()]+\/[\d.]\S*/g, '');
  return {
    userAgent: bare.replace(/Chrome\/[\d.]+/, `Chrome/${majorOf(chrome)}.0.0.0`),
    hints: desktopHints(runtime),
    ...languagesFor('en-US'),
  };
}

/** Returns the identity that a job's options choose. */
export function identityFor(
  { converter_user_agent, locale }: IdentityOptions,
  runtime: ChromiumInfo,
): BrowserIdentity {
  const preset = /^(?:latest-)?chrome-(desktop|mobile)$/i
    .exec(converter_user_agent.trim())?.[1]
    ?.toLowerCase();
  if (preset === undefined) return { userAgent: oneLine(converter_user_agent), ...languagesFor(locale) };
  return { ...(preset === 'mobile' ? mobile(runtime) : defaultIdentity(runtime)), ...languagesFor(locale) };
}

function languagesFor(locale: string): Pick<BrowserIdentity, 'languages' | 'locale'> {
  const language = locale.split('-')[0] ?? locale;
  return { locale, languages: language === locale ? locale : `${locale},${language}` };
}

/** Returns the identity of Chrome for Android, which sends the same user agent on every phone. */
function mobile({ chrome }: ChromiumInfo) {
  const major = majorOf(chrome);
  return {
    userAgent: `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Mobile Safari/537.36`,
    // Sic: Chrome for Android reports this value.
    platform: 'Linux armv81',
    hints: {
      brands: brandsOf(major),
      platform: 'Android',
      platformVersion: '14.0.0',
      architecture: '',
      model: 'K',
      mobile: true,
    },
  };
}

function desktopHints({ userAgent, chrome }: ChromiumInfo): Hints {
  const platform = userAgent.includes('Windows')
    ? 'Windows'
    : userAgent.includes('Mac OS')
      ? 'macOS'
      : 'Linux';
  return {
    brands: brandsOf(majorOf(chrome)),
    platform,
    platformVersion: '',
    architecture: 'x86',
    model: '',
    mobile: false,
  };
}

function brandsOf(major: string): Hints['brands'] {
  return [
    { brand: 'Google Chrome', version: major },
    { brand: 'Chromium', version: major },
    { brand: 'Not?A_Brand', version: '99' },
  ];
}

function majorOf(chrome: string): string {
  return chrome.split('.')[0] ?? chrome;
}

/** Replaces characters that a header cannot contain, such as line breaks, with spaces. */
function oneLine(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]+/g, ' ').trim();
}
