/** The kinds of values that only options have, and the types of uploads. */
import { length, listOf, maxLengths, oneOf, text, type Inches, type Kind } from '../fields/kinds.ts';
import { normalized } from '../fields/normalized.ts';
import { parsedUrl, webAddressIn } from '../fields/parsed-url.ts';
import { findingCodes, type FindingCode } from '../log/finding-codes.ts';

const mm = (width: number, height: number) => ({ width: width / 25.4, height: height / 25.4 });

/** The named paper sizes, in inches, in the orientation of their standards (ISO 216, ANSI/ASME Y14.1). */
export const paperSizes = {
  A0: mm(841, 1189),
  A1: mm(594, 841),
  A2: mm(420, 594),
  A3: mm(297, 420),
  A4: mm(210, 297),
  A5: mm(148, 210),
  A6: mm(105, 148),
  Letter: { width: 8.5, height: 11 },
  Legal: { width: 8.5, height: 14 },
  Tabloid: { width: 11, height: 17 },
  Ledger: { width: 17, height: 11 },
} as const;

export type PaperName = keyof typeof paperSizes;

/** Width of the layout in CSS pixels, or `balanced`: the narrowest width at which nothing overflows. */
export type ViewportWidth = number | 'balanced';

const viewportPresets = { small: 480, medium: 1024, large: 1200, 'extra-large': 1600 } as const;

/** A pattern for 1000 to 65000. */
const upperNumbers = '[1-9]\\d{3}|[1-5]\\d{4}|6[0-4]\\d{3}|65000';

export const viewportWidth: Kind<ViewportWidth> = {
  allowed:
    'balanced, small (480px), medium (1024px), large (1200px), extra-large (1600px), or 96 to 65000 with or without px',
  schema: {
    type: 'string',
    pattern: `^(balanced|small|medium|large|extra-large|0*(9[6-9]|[1-9]\\d{2}|${upperNumbers})(px)?)$`,
    examples: ['medium', '800px', 'balanced'],
  },
  maxLength: maxLengths.word,
  read(text) {
    const word = text.trim().toLowerCase();
    if (word === 'balanced') return 'balanced';
    const preset = Object.entries(viewportPresets).find(([name]) => name === word)?.[1];
    if (preset !== undefined) return preset;
    const match = /^0*(\d{2,5})(?:\s?px)?$/.exec(word);
    const pixels = Number(match?.[1]);
    return pixels >= 96 && pixels <= 65_000 ? pixels : undefined;
  },
};

/** Height of the viewport in CSS pixels, or `auto`: the height of the print area. */
export const viewportHeight: Kind<number | 'auto'> = {
  allowed: 'auto, large (10000px), or 1 to 65000 with or without px',
  schema: {
    type: 'string',
    pattern: `^(auto|large|0*([1-9]\\d{0,2}|${upperNumbers})(px)?)$`,
    examples: ['auto', '5000px'],
  },
  maxLength: maxLengths.word,
  read(text) {
    const word = text.trim().toLowerCase();
    if (word === 'auto') return 'auto';
    if (word === 'large') return 10_000;
    const pixels = Number(/^0*(\d{1,5})(?:\s?px)?$/.exec(word)?.[1]);
    return pixels >= 1 && pixels <= 65_000 ? pixels : undefined;
  },
};

/** A length, or `content` (sent as -1): as long as the content. */
export const lengthOrContent: Kind<Inches | 'content'> = {
  allowed: `-1, or ${length.allowed}`,
  schema: { ...length.schema, pattern: '^(-1|0+(\\.0+)?|(\\d+|\\d*\\.\\d+)(pt|px|mm|cm|in))$' },
  maxLength: maxLengths.word,
  read: (text) => (text.trim() === '-1' ? 'content' : length.read(text)),
};

/** A length that may be negative. */
export const signedLength: Kind<Inches> = {
  allowed: `${length.allowed}, with or without a minus sign`,
  schema: { ...length.schema, pattern: '^-?(0+(\\.0+)?|(\\d+|\\d*\\.\\d+)(pt|px|mm|cm|in))$' },
  maxLength: maxLengths.word,
  read(text) {
    const size = text.trimStart();
    if (!size.startsWith('-')) return length.read(size);
    const inches = length.read(size.slice(1));
    return inches === undefined ? undefined : -inches;
  },
};

/** A colour as RRGGBB or RRGGBBAA; the value is in lower case and without #. */
export const colour: Kind<string> = {
  allowed: 'a colour as RRGGBB or RRGGBBAA (such as ffeedd or 00000000)',
  schema: { type: 'string', pattern: '^([0-9a-fA-F]{6}|[0-9a-fA-F]{8})$', examples: ['ffeedd'] },
  maxLength: maxLengths.word,
  read: (text) => /^\s*#?([0-9a-f]{8}|[0-9a-f]{6})\s*$/i.exec(text)?.[1]?.toLowerCase(),
};

/** scaleX, skewX, transX, skewY, scaleY, transY: x' = scaleX x + skewX y + transX. In points; y points down. */
type MatrixValue = readonly [number, number, number, number, number, number];

export const matrix: Kind<MatrixValue> = {
  allowed: 'six numbers scaleX,skewX,transX,skewY,scaleY,transY (such as 1,0,0,0,1,0)',
  schema: { type: 'string', examples: ['1,0,0,0,1,0'] },
  maxLength: maxLengths.line,
  read(text) {
    const numbers = text
      .split(',')
      .map((part) => (/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*$/.test(part) ? Number(part) : NaN));
    const isValid = numbers.length === 6 && numbers.every((number) => Math.abs(number) < 1e6);
    return isValid ? (numbers as unknown as MatrixValue) : undefined;
  },
};

/** An http or https address. */
export const webAddress: Kind<URL> = {
  allowed: 'a complete http:// or https:// address',
  schema: { type: 'string', format: 'uri', examples: ['https://example.com/letterhead.html'] },
  maxLength: maxLengths.address,
  read: webAddressIn,
};

/** A date or a time (ISO 8601) as a date of PDF (ISO 32000-1, 7.9.4); without a zone, in UTC. */
export const pdfDate: Kind<string> = {
  allowed: 'a date or a time in the format of ISO 8601, such as 2026-11-26 or 2026-11-26T09:30:00+01:00',
  schema: { type: 'string', examples: ['2026-11-26T09:30:00+01:00'] },
  maxLength: maxLengths.word,
  read(text) {
    const match = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?(Z|[+-]\d\d:\d\d)?)?$/.exec(
      text.trim(),
    );
    if (match === null) return undefined;
    const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', zone = 'Z'] = match;
    const isDay = new Date(`${year}-${month}-${day}T00:00:00Z`)
      .toISOString()
      .startsWith(`${year}-${month}-${day}`);
    const [, hours = '00', minutes = '00'] = /(\d\d):(\d\d)/.exec(zone) ?? [];
    const isTime =
      [hour, hours].every((part) => Number(part) < 24) &&
      [minute, second, minutes].every((part) => Number(part) < 60);
    if (!isDay || !isTime) return undefined;
    const sign = zone.startsWith('-') ? '-' : '+';
    return `D:${year}${month}${day}${hour}${minute}${second}${sign}${hours}'${minutes}'`;
  },
};

/** Returns a time as a date of PDF, in UTC. */
export function pdfDateOf(date: Date): string {
  return pdfDate.read(date.toISOString().replace(/\.\d+Z$/, 'Z')) ?? '';
}

const pdfAStandards = ['pdfa-2b', 'pdfa-2u', 'pdfa-3b', 'pdfa-3u'] as const;
const pdfStandards = [...pdfAStandards, 'pdfua-1'] as const;
type PdfStandard = (typeof pdfStandards)[number];

/** Findings about jobs without a document. */
const failureCodes: readonly FindingCode[] = ['job-failed', 'job-unfinished'];

/** A list of codes of notes. */
export const noteCodes: Kind<readonly (FindingCode | 'any')[]> = listOf(
  'any, or codes of notes (such as content-hidden,missing-resource), separated by commas',
  oneOf(['any', ...findingCodes.filter((code) => !failureCodes.includes(code))]).read,
);

/** A list with PDF/UA-1, one standard of PDF/A, or both. */
export const pdfStandardList: Kind<readonly PdfStandard[]> = {
  allowed: `one of ${pdfAStandards.join(', ')}, or pdfua-1, or both, separated by a comma`,
  schema: { type: 'string', examples: ['pdfa-2u', 'pdfa-2u,pdfua-1'] },
  maxLength: maxLengths.word,
  read(text) {
    const standards = listOf('', oneOf(pdfStandards).read).read(text);
    const pdfA = standards?.filter((name) => name !== 'pdfua-1') ?? [];
    const isValid = standards !== undefined && standards.length > 0 && pdfA.length <= 1;
    return isValid ? [...new Set(standards)] : undefined;
  },
};

/** How an attached file is related to the document (ISO 19005-3, annex E). */
export const relationships = ['Source', 'Data', 'Alternative', 'Supplement', 'Unspecified'] as const;

export type Relationship = (typeof relationships)[number];

/** AES-256 uses at most 127 bytes of UTF-8 (ISO 32000-2, 7.6.4.3.3); viewers would truncate longer passwords differently. */
export const pdfPassword: Kind<string> = {
  allowed: 'a password of at most 127 bytes in UTF-8',
  schema: { type: 'string', minLength: 1 },
  maxLength: maxLengths.line,
  read: (text) => (text !== '' && byteLength(normalized(text, 'NFKC')) <= 127 ? text : undefined),
};

/** Does not use Buffer.byteLength, because the form in the console runs this code in a browser. */
function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The name of a character set (WHATWG Encoding); the value is the canonical name. */
export const charset: Kind<string> = {
  allowed: 'the name of a character set, such as utf-8 or windows-1252',
  schema: { type: 'string', examples: ['utf-8', 'windows-1252'] },
  maxLength: maxLengths.word,
  read(text) {
    try {
      return new TextDecoder(text.trim()).encoding;
    } catch {
      return undefined;
    }
  },
};

interface NamedText {
  readonly name: string;
  readonly value: string;
}

/** Returns the texts around the first separator, without the blanks around them. The name is empty without a separator. */
function partsAround(separator: string, text: string): NamedText {
  const at = text.indexOf(separator);
  return { name: text.slice(0, Math.max(0, at)).trim(), value: text.slice(at + 1).trim() };
}

/** Cookies by name, as in a Cookie header (RFC 6265, 4.2.1). */
export const cookies: Kind<readonly NamedText[]> = {
  allowed: 'name=value pairs separated by semicolons',
  schema: { type: 'string', examples: ['session=abc;language=en'] },
  maxLength: maxLengths.list,
  read(text) {
    const pairs = text.split(';').filter((pair) => pair.trim() !== '');
    const values = pairs.map((pair) => partsAround('=', pair));
    const isValid = ({ name, value }: NamedText) =>
      /^[^\s=;,"\x00-\x1f]+$/.test(name) && !/[;\x00-\x1f]/.test(value);
    return values.length > 0 && values.every(isValid) ? values : undefined;
  },
};

/** One header of a request (RFC 9110, 5.1). */
export const header: Kind<NamedText> = {
  allowed:
    'Name:value on one line; headers of the connection (Host, Content-Length, Connection and so on) are refused',
  schema: { type: 'string', pattern: '^.+:.+$', examples: ['X-Department: Sales'] },
  maxLength: maxLengths.address,
  read(text) {
    const { name, value } = partsAround(':', text);
    const isValid = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && value !== '' && !/[\r\n\0]/.test(value);
    return isValid && !connectionHeaders.test(name) ? { name, value } : undefined;
  },
};

/** Headers that control the connection. A value from the caller would break the connection. */
const connectionHeaders =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|expect|proxy-.*|sec-.*)$/i;

/** HOST:PORT of an HTTP proxy. */
export const proxyAddress: Kind<URL> = {
  allowed: 'HOST:PORT of an HTTP proxy',
  schema: {
    type: 'string',
    pattern: '^([\\w.-]+|\\[[\\da-fA-F:.]+\\]):\\d{1,5}$',
    examples: ['proxy.example.com:3128'],
  },
  maxLength: maxLengths.line,
  read(text) {
    const [, host = '', port = ''] = /^\s*([\w.-]+|\[[\da-f:.]+\]):(\d{1,5})\s*$/i.exec(text) ?? [];
    return Number(port) > 0 ? parsedUrl(`http://${host}:${port}`) : undefined;
  },
};

/** A language tag (BCP 47) for which Intl can format dates and numbers. */
export const languageTag: Kind<string> = {
  allowed: 'a language tag such as en-US, de or pt-BR',
  schema: { type: 'string', examples: ['en-US', 'de-DE'] },
  maxLength: maxLengths.word,
  read(text) {
    // The default. Loading the locales of ICU to check it would take 8 ms of each start.
    if (text === 'en-US') return text;
    try {
      const tag = Intl.getCanonicalLocales(text.trim())[0];
      // Chromium accepts only locales that it supports.
      return tag !== undefined && Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0 ? tag : undefined;
    } catch {
      return undefined;
    }
  },
};

/** A file part of the form, stored on disk. */
export interface Upload {
  /** Path of the stored part, inside the job's folder. */
  readonly path: string;
  /** The last component of the client's file name; for messages only, never for a path. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** The content type of the part. Absent if it is unknown: application/octet-stream, or a file that was not uploaded. */
  readonly contentType?: string;
  /** The folder from which the page may load files. Only for local callers (command line, hot folder), who can open them anyway. */
  readonly siblingFolder?: SiblingFolder;
}

/** The asset root of a page: the folder that contains the page, or an ancestor of that folder. */
export interface SiblingFolder {
  /** Absolute path. */
  readonly root: string;
  /** The page's path below `root`, with slashes. */
  readonly path: string;
}

/** A long text field, stored in a file as UTF-8. */
export interface StoredText extends Upload {
  /** Length of the text. */
  readonly characters: number;
}

export function isStoredText(value: string | Upload): value is StoredText {
  return typeof value === 'object' && 'characters' in value;
}

/** The maximum length of a style sheet or a script, in characters: it is sent to the page in strings, which the main thread copies. */
export const maxScriptLength = 10_000_000;

/** The maximum length of a header or a footer, in characters: it is searched in one step. */
export const maxHeaderFooterLength = 2_000_000;

/** Returns a kind for content that a long field may also bring in a file: only the size of the request limits its length. */
export function longText(allowed: string): Kind<string | StoredText> {
  return text(allowed, Infinity);
}

export const upload: Kind<Upload> = {
  allowed: 'a file part of a multipart/form-data body',
  schema: { type: 'string', format: 'binary' },
  read: () => undefined,
};

// The kinds of output_name and tag: names that a caller gives to an output and a job.

const maxNameLength = 180;
const maxTagLength = 32;

/** A file name that is safe on every system: no folders, no invisible characters, at most 180 characters. */
export const fileName: Kind<string> = {
  allowed: `a file name; it is cut to ${maxNameLength} characters`,
  schema: { type: 'string', minLength: 1, examples: ['invoice.pdf'] },
  maxLength: maxLengths.line,
  read(text) {
    const name = text.trim().replace(unsafe, '_');
    return /^\.*$/.test(name) ? undefined : cutBeforeExtension(name);
  },
};

/** Path separators, control characters, line ends, and direction marks, which can make fdp.exe look like exe.pdf (UTS #39). */
const unsafe = /[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Shortens a name and keeps its extension. Counts code points, so that no surrogate pair is split. */
function cutBeforeExtension(name: string): string {
  const extension = /(?<=.)\.[^.]{1,20}$/u.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  return `${firstCharacters(stem, maxNameLength - Array.from(extension).length)}${extension}`;
}

function firstCharacters(text: string, count: number): string {
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('');
}

/** A label of the job in the logs, on one line. */
export const tag: Kind<string> = {
  allowed: `text; it is cut to ${maxTagLength} characters`,
  schema: { type: 'string', minLength: 1, examples: ['invoices'] },
  maxLength: maxLengths.line,
  read(text) {
    const word = firstCharacters(text.trim().replace(/\p{Cc}/gu, ' '), maxTagLength);
    return word === '' ? undefined : word;
  },
};
