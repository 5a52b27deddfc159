/**
 * What a debug log is made of: one JSON line an event. `text` alone can be read by a person; `detail` holds the same and more
 * for the page, for programs and for findings. Lengths on the page are CSS pixels, on paper inches, times milliseconds,
 * sizes bytes.
 */
import type { FindingCode } from './finding-codes.ts';

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

/** The first line. */
export type JobEvent = Event<
  'job',
  {
    readonly account: string;
    readonly tag?: string;
    /** When the request arrived, ISO 8601. */
    readonly received: string;
    readonly versions: Versions;
  }
>;

/** What was asked for, secrets masked and contents left out. */
export type OptionsEvent = Event<
  'options',
  {
    readonly input: 'url' | 'file' | 'text';
    readonly options: readonly {
      readonly name: string;
      readonly value: string;
      readonly from: 'request' | 'default' | 'alias';
    }[];
  }
>;

/** A stage is over. */
export interface StageEvent extends Event<'stage', { readonly ended?: string }> {
  readonly took: number;
}

export type NoteEvent = Event<
  'note',
  {
    /** What kind of finding it is, for notes that explain a result. */
    readonly code?: FindingCode;
    /** Options that would change it. */
    readonly options?: readonly string[];
  }
>;

/** A request is over, or was never made. */
export interface RequestEvent extends Event<'request', RequestDetail> {
  readonly took?: number;
}

export interface RequestDetail {
  readonly method?: string;
  /** As Chromium's DevTools name it: Document, Stylesheet, Image, Font, Script, XHR, Fetch... */
  readonly type?: string;
  /** Milliseconds since the job began. */
  readonly began?: number;
  readonly status?: number;
  readonly mime?: string;
  readonly protocol?: string;
  /** `job`: the job's own files. */
  readonly from?: 'network' | 'cache' | 'job' | 'data';
  /** As it came over the wire. */
  readonly bytes?: number;
  /** Which option or rule refused it, in words. */
  readonly blocked?: string;
  /** Why it failed, in words. */
  readonly failed?: string;
  readonly redirected?: string;
  /** Who asked for it: `index.html:12`. */
  readonly initiator?: string;
  readonly phases?: {
    readonly connect: number;
    readonly send: number;
    readonly wait: number;
    readonly receive: number;
  };
  /** Masked. */
  readonly requestHeaders?: readonly Header[];
  readonly responseHeaders?: readonly Header[];
}

export interface Header {
  readonly name: string;
  readonly value: string;
}

export type ConsoleEvent = Event<
  'console',
  {
    readonly level: 'debug' | 'info' | 'warning' | 'error' | 'exception';
    /** The file's own name, or the address of another's. */
    readonly source: string;
    /** From 1; 0 when unknown. */
    readonly line: number;
    readonly column?: number;
    /** One line a call, innermost first. */
    readonly stack?: readonly string[];
  }
>;

/** How the page was laid out and printed or captured. */
export type LayoutEvent = Event<
  'layout',
  {
    readonly viewport: { readonly width: number; readonly height: number };
    readonly media: 'screen' | 'print';
    /** Of the content on paper, or of the picture: 1 is a pixel for a pixel (1/96 in). */
    readonly scale: number;
    readonly paper?: { readonly width: number; readonly height: number };
    readonly margins?: {
      readonly top: number;
      readonly right: number;
      readonly bottom: number;
      readonly left: number;
    };
    /** In pixels. */
    readonly picture?: { readonly width: number; readonly height: number };
  }
>;

export type FontsEvent = Event<
  'fonts',
  {
    readonly stacks: readonly {
      /** As the style sheet asks for them. */
      readonly families: string;
      readonly weight: string;
      readonly style: string;
      readonly characters: number;
      /** First element in that style. */
      readonly element: string;
      /** What its text is drawn with. */
      readonly used: readonly { readonly family: string; readonly glyphs: number; readonly web: boolean }[];
    }[];
    /** Web fonts that could not be loaded. */
    readonly failed: readonly string[];
    /** Characters no font has a glyph for. */
    readonly missing: readonly {
      readonly character: string;
      readonly count: number;
      readonly element: string;
    }[];
  }
>;

export type ImagesEvent = Event<
  'images',
  {
    readonly images: readonly {
      readonly url: string;
      readonly element: string;
      readonly problem: 'broken' | 'oversized';
      readonly natural: { readonly width: number; readonly height: number };
      readonly shown: { readonly width: number; readonly height: number };
    }[];
  }
>;

/** What does not fit the layout's width, and what page breaks cut. */
export type BreaksEvent = Event<
  'breaks',
  {
    readonly overflows: readonly { readonly element: string; readonly by: number }[];
    /** Elements that go over a page's end, with their first and last page (from 1, before any range). */
    readonly splits: readonly {
      readonly element: string;
      readonly first: number;
      readonly last: number;
      /** It is a heading that stands alone at the end of `first`: what it is about begins on `last`. */
      readonly apart?: true;
    }[];
    /** Elements that are taller than a page. */
    readonly tall: readonly { readonly element: string; readonly height: number; readonly page: number }[];
  }
>;

export type EncodingEvent = Event<
  'encoding',
  {
    /** As Chromium read the document. */
    readonly encoding: string;
    readonly declared: 'header' | 'meta' | 'mark' | 'nothing';
    /** U+FFFD in the text. */
    readonly replaced: number;
    /** Text that looks like UTF-8 read as something else. */
    readonly garbled?: string;
  }
>;

/** A header or footer that is larger than its place; heights, and its widths when it is too wide, on paper. */
export type StripEvent = Event<
  'strip',
  {
    readonly strip: 'header' | 'footer';
    readonly content: number;
    readonly place: number;
    readonly width?: { readonly content: number; readonly place: number };
  }
>;

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

/** The page as it stood before it was printed. */
export type PictureEvent = Event<
  'picture',
  {
    readonly type: 'image/jpeg' | 'image/png';
    readonly width: number;
    readonly height: number;
    /** Base64. */
    readonly data: string;
  }
>;

export type FailureEvent = Event<
  'failure',
  { readonly status?: number; readonly reason?: number; readonly stage: string }
>;

/** The last line; a log without it is of a job under way, or of one that ended with the service. */
export type EndEvent = Event<
  'end',
  {
    readonly outcome: 'converted' | 'failed' | 'caller gone';
    readonly bytes?: number;
    readonly pages?: number;
  }
>;

export type NewEvent =
  | JobEvent
  | OptionsEvent
  | StageEvent
  | NoteEvent
  | RequestEvent
  | ConsoleEvent
  | LayoutEvent
  | FontsEvent
  | ImagesEvent
  | BreaksEvent
  | EncodingEvent
  | StripEvent
  | SizesEvent
  | PictureEvent
  | FailureEvent
  | EndEvent;

/** An event, and when it happened: milliseconds since the job began. */
export type LogEvent = NewEvent & { readonly at: number };
