/**
 * The events of a debug log, one JSON line each. `text` is for human readers; `detail` contains the data for programs, the log's
 * page and the findings. Units: CSS pixels on the page, inches on paper, milliseconds, bytes.
 */
import type { FindingCode } from './finding-codes.ts';

/** Values of `failed` in a request event that other code recognises. */
export const requestFailures = {
  /** The same text for every unreachable address: more detail would turn the service into a port scanner. */
  unreachable: 'could not be loaded',
  /** The page cancelled the request. */
  cancelled: 'was cancelled',
  /** The request was pending when the job ended. */
  pending: 'was still pending',
  tooManyRedirects: 'redirected too often',
  invalidTls: 'its TLS certificate or connection is not valid',
  /** The beginning of the text for a file that is missing from the upload. */
  missingFile: 'no such file',
} as const;

/** The value of `blocked` for a request that the network guard refused. */
export const blockedByNetworkPolicy = 'by the network policy';

interface Event<Kind extends string, Detail> {
  readonly kind: Kind;
  readonly text: string;
  readonly detail: Detail;
}

export interface Versions {
  readonly platen: string;
  readonly electron: string;
  readonly chromium: string;
}

/** The first event of a log. */
export type JobEvent = Event<
  'job',
  {
    readonly account: string;
    readonly tag?: string;
    /** Time at which the request arrived, in ISO 8601. */
    readonly received: string;
    readonly versions: Versions;
  }
>;

/** The options of the job, with secrets masked and without the contents of files and long values. */
export type OptionsEvent = Event<
  'options',
  {
    readonly input: 'url' | 'file' | 'text';
    readonly options: readonly {
      readonly name: string;
      readonly value: string;
      readonly from: 'request' | 'default' | 'alias';
    }[];
    /** The values of the request, in order. The recipe contains them. */
    readonly values: readonly RequestValue[];
  }
>;

/** A value of a request: as text, as the digest of a content or file, or, for a secret, without either. */
export type RequestValue = { readonly name: string } & (
  | { readonly value: string }
  | {
      /** The name of a file part. */
      readonly file?: string;
      readonly bytes: number;
      /** The SHA-256 digest of the bytes in hexadecimal digits. A text is encoded as UTF-8. */
      readonly sha256: string;
    }
  | { readonly hidden: true }
);

/** Written at the end of a stage. */
interface StageEvent extends Event<
  'stage',
  {
    /** Why the stage ended. */
    readonly ended?: string;
  }
> {
  readonly took: number;
}

export type NoteEvent = Event<
  'note',
  {
    /** The code of the finding that this note becomes. Notes without a code are not findings. */
    readonly code?: FindingCode;
    /** Names of the options that the note is about, or that can change the result. */
    readonly options?: readonly string[];
  }
>;

/** Written when a request ends or is blocked. */
export interface RequestEvent extends Event<'request', RequestDetail> {
  readonly took?: number;
}

export interface RequestDetail {
  readonly method?: string;
  /** The resource type in Chromium's DevTools: Document, Stylesheet, Image, Font, Script, XHR, Fetch... */
  readonly type?: string;
  /** Milliseconds since the job began. */
  readonly began?: number;
  readonly status?: number;
  readonly mime?: string;
  readonly protocol?: string;
  /** `job`: a file of the upload. */
  readonly from?: 'network' | 'cache' | 'job' | 'data';
  /** Transferred bytes, which may be compressed. */
  readonly bytes?: number;
  /** Describes the option or rule that blocked the request. */
  readonly blocked?: string;
  /** Describes why the request failed. */
  readonly failed?: string;
  /** The address that the response redirected to. */
  readonly redirected?: string;
  /** The line of the document or script that caused the request, such as `index.html:12`. */
  readonly initiator?: string;
  readonly phases?: {
    readonly connect: number;
    readonly send: number;
    readonly wait: number;
    readonly receive: number;
  };
  /** With secret values masked. */
  readonly requestHeaders?: readonly Header[];
  /** With secret values masked. */
  readonly responseHeaders?: readonly Header[];
}

export interface Header {
  readonly name: string;
  readonly value: string;
}

/** A file that the archive lacks (`text`: its path), although the archive has files with similar names. */
export type MissingFileEvent = Event<'missing-file', { readonly similar: readonly string[] }>;

export type ConsoleEvent = Event<
  'console',
  {
    readonly level: 'debug' | 'info' | 'warning' | 'error' | 'exception';
    /** The name of a file of the job, or an address. */
    readonly source: string;
    /** Counted from 1; 0 if unknown. */
    readonly line: number;
    readonly column?: number;
    /** The stack trace: one line for each call, innermost first. */
    readonly stack?: readonly string[];
  }
>;

/** The layout of the page when it was printed or captured. */
export type LayoutEvent = Event<
  'layout',
  {
    readonly viewport: { readonly width: number; readonly height: number };
    readonly media: 'screen' | 'print';
    /** Scale of the content on paper or in the image; 1 maps a CSS pixel to 1/96 in or to a pixel. */
    readonly scale: number;
    readonly paper?: { readonly width: number; readonly height: number };
    readonly margins?: {
      readonly top: number;
      readonly right: number;
      readonly bottom: number;
      readonly left: number;
    };
    /** Size of the output image, in pixels. */
    readonly image?: { readonly width: number; readonly height: number };
  }
>;

export type FontsEvent = Event<
  'fonts',
  {
    readonly stacks: readonly {
      /** The font-family list of the style sheet. */
      readonly families: string;
      readonly weight: string;
      readonly style: string;
      /** Number of characters with this style. */
      readonly characters: number;
      /** The first element with this style. */
      readonly element: string;
      /** The fonts that draw the text. */
      readonly used: readonly { readonly family: string; readonly glyphs: number; readonly web: boolean }[];
    }[];
    /** Web fonts that did not load. */
    readonly failed: readonly string[];
    /** Characters without a glyph in any font. */
    readonly missing: readonly {
      readonly character: string;
      readonly count: number;
      readonly element: string;
    }[];
  }
>;

export type ImagesEvent = Event<'images', { readonly images: readonly ExaminedImage[] }>;

export interface ExaminedImage {
  readonly url: string;
  readonly element: string;
  readonly problem: 'broken' | 'oversized';
  readonly natural: { readonly width: number; readonly height: number };
  readonly shown: { readonly width: number; readonly height: number };
}

/** Elements that are wider than the layout, and elements that page breaks split. */
export type BreaksEvent = Event<
  'breaks',
  {
    /** `by`: how far the element extends beyond the layout. */
    readonly overflows: readonly { readonly element: string; readonly by: number }[];
    /** Elements on several pages. Pages are counted from 1, before print_page_range applies. */
    readonly splits: readonly {
      readonly element: string;
      readonly first: number;
      readonly last: number;
      /** Whether the element is a heading at the end of page `first` whose section begins on page `last`. */
      readonly apart?: true;
      /** Whether the element is a table row whose cells have bottom borders, but no line at the end of a page. */
      readonly open?: true;
    }[];
    /** Elements that are taller than a page. */
    readonly tall: readonly { readonly element: string; readonly height: number; readonly page: number }[];
  }
>;

export type EncodingEvent = Event<
  'encoding',
  {
    /** The encoding in which Chromium read the document. */
    readonly encoding: string;
    /** Where the encoding was declared; `mark` is a byte order mark. */
    readonly declared: 'header' | 'meta' | 'mark' | 'nothing';
    /** Number of U+FFFD characters in the text. */
    readonly replaced: number;
    /** Text that looks like UTF-8 read in another encoding. */
    readonly garbled?: string;
  }
>;

/** Heights of a header or footer (`content`) and of its area (`place`), in inches; `width` only if the content is too wide. */
type HeaderFooterEvent = Event<
  'header-footer',
  {
    readonly side: 'header' | 'footer';
    readonly content: number;
    readonly place: number;
    readonly width?: { readonly content: number; readonly place: number };
  }
>;

/** How many bytes the parts of the output take. */
export type SizesEvent = Event<
  'sizes',
  {
    readonly total: number;
    readonly fonts: number;
    readonly images: number;
    readonly rest: number;
    readonly largest: readonly { readonly what: string; readonly bytes: number }[];
  }
>;

/** A screenshot of the page before printing. */
export type ScreenshotEvent = Event<
  'screenshot',
  {
    readonly type: 'image/jpeg' | 'image/png';
    readonly width: number;
    readonly height: number;
    /** The screenshot in base64. */
    readonly data: string;
  }
>;

export type FailureEvent = Event<
  'failure',
  { readonly status?: number; readonly reason?: number; readonly stage: string }
>;

/** The last event. A log without it belongs to a running job, or to a job during which the service ended. */
export type EndEvent = Event<
  'end',
  {
    readonly outcome: 'converted' | 'failed' | 'caller gone';
    readonly bytes?: number;
    readonly pages?: number;
    readonly contentType?: string;
    /** The SHA-256 digest of the output in hexadecimal digits. */
    readonly sha256?: string;
  }
>;

export type NewEvent =
  | JobEvent
  | OptionsEvent
  | StageEvent
  | NoteEvent
  | RequestEvent
  | MissingFileEvent
  | ConsoleEvent
  | LayoutEvent
  | FontsEvent
  | ImagesEvent
  | BreaksEvent
  | EncodingEvent
  | HeaderFooterEvent
  | SizesEvent
  | ScreenshotEvent
  | FailureEvent
  | EndEvent;

/** An event with its time, in milliseconds since the job began. */
export type LogEvent = NewEvent & { readonly at: number };

export type EventOf<Kind extends LogEvent['kind']> = Extract<LogEvent, { readonly kind: Kind }>;

export function eventsOf<Kind extends LogEvent['kind']>(
  events: readonly LogEvent[],
  kind: Kind,
): EventOf<Kind>[] {
  return events.filter((event): event is EventOf<Kind> => event.kind === kind);
}

/** Returns the last event of a kind. If a job was repeated, this is the event of the last attempt. */
export function lastOf<Kind extends LogEvent['kind']>(
  events: readonly LogEvent[],
  kind: Kind,
): EventOf<Kind> | undefined {
  return events.findLast((event): event is EventOf<Kind> => event.kind === kind);
}

/** Returns the time from the beginning of the job to its last event, in milliseconds. */
export function spanOf(events: readonly LogEvent[]): number {
  return events.reduce((longest, { at }) => Math.max(longest, at), 0);
}
