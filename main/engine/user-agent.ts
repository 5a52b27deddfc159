/** What the browser calls itself, and the languages it asks for. Pure. */
import type { Options } from '../job/options.ts';

/** Client hints (UA-CH) that go with a user agent. */
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
  /** In order of preference, separated by commas, without weights. */
  readonly languages: string;
  /** Of dates and numbers, where a script names none. */
  readonly locale: string;
  /** `navigator.platform`. */
  readonly platform?: string;
  readonly hints?: Hints;
}

export interface Runtime {
  /** Electron's own user agent, which names Electron and the application. */
  readonly userAgent: string;
  /** Chromium's version, such as 130.0.6723.137. */
  readonly chrome: string;
}

type Wanted = Pick<Options, 'converter_user_agent' | 'locale'>;

/** The identity of a session, whatever its jobs ask for. */
export function usualIdentity(runtime: Runtime): BrowserIdentity {
  const { userAgent, chrome } = runtime;
  // As Chrome itself: without names of its own, and no more exact than the major version.
  const bare = userAgent.replace(/ (?!Chrome\/|Safari\/|AppleWebKit\/)[^\s/()]+\/[\d.]+\S*/g, '');
  return {
    userAgent: bare.replace(/Chrome\/[\d.]+/, `Chrome/${majorOf(chrome)}.0.0.0`),
    hints: desktopHints(runtime),
    ...spoken('en-US'),
  };
}

/** What a job asks for. */
export function identityFor({ converter_user_agent, locale }: Wanted, runtime: Runtime): BrowserIdentity {
  const preset = /^(?:latest-)?chrome-(desktop|mobile)$/i
    .exec(converter_user_agent.trim())?.[1]
    ?.toLowerCase();
  if (preset === undefined) return { userAgent: oneLine(converter_user_agent), ...spoken(locale) };
  return { ...(preset === 'mobile' ? mobile(runtime) : usualIdentity(runtime)), ...spoken(locale) };
}

function spoken(locale: string): Pick<BrowserIdentity, 'languages' | 'locale'> {
  const language = locale.split('-')[0] ?? locale;
  return { locale, languages: language === locale ? locale : `${locale},${language}` };
}

/** Chrome for Android says this on every telephone. */
function mobile({ chrome }: Runtime) {
  const major = majorOf(chrome);
  return {
    userAgent: `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Mobile Safari/537.36`,
    platform: 'Linux armv81',
    hints: {
      ...{ brands: brandsOf(major), platform: 'Android', platformVersion: '14.0.0' },
      ...{ architecture: '', model: 'K', mobile: true },
    },
  };
}

function desktopHints({ userAgent, chrome }: Runtime): Hints {
  const platform = userAgent.includes('Windows')
    ? 'Windows'
    : userAgent.includes('Mac OS')
      ? 'macOS'
      : 'Linux';
  return {
    ...{ brands: brandsOf(majorOf(chrome)), platform, platformVersion: '', architecture: 'x86' },
    ...{ model: '', mobile: false },
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

/** A line break would end the header. */
function oneLine(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]+/g, ' ').trim();
}
