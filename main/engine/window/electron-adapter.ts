/**
 * Everything that depends on the version of Electron: private methods, and public ones that changed. Each function detects what the
 * running version has. The self-test reports the result (self-test/electron.ts). docs/decisions/0048-electron-34-to-45.md
 * explains the versions.
 */
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Offscreen, PrintToPDFOptions, Protocol, WebContents } from 'electron';
import type { Inches } from '../../fields/kinds.ts';

/** How a page is printed: by Electron's `printToPDF` or by the private method under it. */
export type PrintMethod = 'public' | 'private';

/** The settings of a print, which both methods get under different names. */
export interface PdfSettings {
  readonly paper: { readonly width: Inches; readonly height: Inches };
  readonly margins: {
    readonly top: Inches;
    readonly right: Inches;
    readonly bottom: Inches;
    readonly left: Inches;
  };
  /** 0.1 to 2. The layout is as wide as the print area divided by the scale. */
  readonly scale: number;
  readonly printBackground: boolean;
  readonly generateTaggedPDF: boolean;
  readonly generateDocumentOutline: boolean;
}

/** The part of a WebContents that prints. Electron's type definitions omit the private method. */
export interface PrintableContents extends Pick<WebContents, 'printToPDF'> {
  readonly _printToPDF?: (settings: object) => Promise<Buffer>;
}

/**
 * The first versions in which one failed print no longer makes all later prints of all windows fail, and in which windows print in
 * parallel (electron#51174). Older majors were never fixed.
 */
const reliablePrinting = { 40: '40.9.3', 41: '41.3.0', 42: '42.0.0' } as const;

/**
 * Returns the method that prints reliably. The private method exists in all versions so far (33 to 45), but is used only in
 * versions whose public method is unreliable.
 */
export function printMethod(
  contents: PrintableContents,
  version: string = process.versions.electron,
): PrintMethod {
  if (isReliable(version)) return 'public';
  return typeof contents._printToPDF === 'function' ? 'private' : 'public';
}

function isReliable(version: string): boolean {
  const [major = 0] = versionParts(version);
  if (major > 42) return true;
  const first = (reliablePrinting as Readonly<Record<number, string>>)[major];
  return first !== undefined && !isOlder(versionParts(version), versionParts(first));
}

function versionParts(version: string): number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10));
}

function isOlder(left: readonly number[], right: readonly number[]): boolean {
  const index = left.findIndex((part, position) => part !== right[position]);
  return index !== -1 && (left[index] ?? 0) < (right[index] ?? 0);
}

/** Prints the page of a window. @throws Error if Chromium cannot print the page */
export function printContents(
  contents: PrintableContents,
  settings: PdfSettings,
  version?: string,
): Promise<Buffer> {
  if (printMethod(contents, version) === 'public') return contents.printToPDF(publicSettings(settings));
  return (contents as Required<PrintableContents>)._printToPDF(privateSettings(settings));
}

function publicSettings({ paper, ...settings }: PdfSettings): PrintToPDFOptions {
  return { ...settings, pageSize: paper, preferCSSPageSize: true };
}

function privateSettings({ paper, margins, ...settings }: PdfSettings): object {
  return {
    ...settings,
    // Chromium assigns replies to prints by this number, so each print of a window needs a different one.
    requestID: Math.floor(Math.random() * 2 ** 31),
    landscape: false,
    displayHeaderFooter: false,
    headerTemplate: '',
    footerTemplate: '',
    paperWidth: paper.width,
    paperHeight: paper.height,
    marginTop: margins.top,
    marginRight: margins.right,
    marginBottom: margins.bottom,
    marginLeft: margins.left,
    pageRanges: '',
    preferCSSPageSize: true,
  };
}

/**
 * Makes a window offscreen with one device pixel for each CSS pixel; the emulation sets other ratios. Since Electron 42 this
 * scale is the default. Older versions ignore it and use the scale of the display, which `--force-device-scale-factor=1` sets.
 */
export const offscreen: Offscreen = { deviceScaleFactor: 1 };

export interface SchemeRequest {
  readonly url: string;
  /** By name, in whatever case Chromium uses. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface SchemeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | Readable;
}

/** How a scheme is served: by the deprecated `registerStreamProtocol`, or by `handle`. */
export type SchemeMethod = 'stream' | 'handle';

/** The part of a session's protocol that serves a scheme. Electron may remove the deprecated method. */
export interface SchemeProtocol extends Pick<Protocol, 'handle'> {
  readonly registerStreamProtocol?: Protocol['registerStreamProtocol'];
}

/**
 * Returns the faster method that this version has. `handle` converts each body to a web stream and back, which takes three times the
 * processor time.
 */
export function schemeMethod(protocol: SchemeProtocol): SchemeMethod {
  return typeof protocol.registerStreamProtocol === 'function' ? 'stream' : 'handle';
}

/** Serves a scheme in a session. A request whose response cannot be created fails. */
export function serveScheme(
  protocol: SchemeProtocol,
  scheme: string,
  respond: (request: SchemeRequest) => Promise<SchemeResponse>,
): void {
  if (schemeMethod(protocol) === 'handle') {
    protocol.handle(scheme, async ({ url, headers }) => {
      const { status, body, ...response } = await respond({ url, headers: Object.fromEntries(headers) });
      const isStream = body instanceof Readable;
      const content = isStream ? (Readable.toWeb(body) as ReadableStream) : Uint8Array.from(body);
      return new Response(content, { status, headers: response.headers });
    });
    return;
  }
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- see schemeMethod
  protocol.registerStreamProtocol?.(scheme, ({ url, headers }, reply) => {
    respond({ url, headers }).then(
      ({ status, headers: given, body }) => {
        const data = body instanceof Readable ? body : streamOf(body);
        reply({ statusCode: status, headers: { ...given }, data });
      },
      () => {
        reply({ error: failedCode });
      },
    );
  });
}

/** Chromium's ERR_FAILED. */
const failedCode = -2;

/**
 * Returns a stream of one chunk, which ends when Chromium has received it. It is created by hand, because Readable.from creates an
 * iterator and its promises.
 */
export function streamOf(bytes: Buffer): Readable {
  let isPushed = bytes.length === 0;
  return new Readable({
    read() {
      if (!isPushed) {
        isPushed = true;
        this.push(bytes);
      }
      // Node asks for more before the consumer has the chunk. If the stream ended then, it would end before the chunk is sent.
      else setImmediate(() => this.push(null));
    },
  });
}

/** An error in the console of a page, as Electron reports it. */
export interface ConsoleError {
  readonly text: string;
  /** The address of the script. */
  readonly source: string;
  /** From 1. */
  readonly line: number;
}

/** Electron's level of errors, in older versions as a number. */
const errorLevels: readonly unknown[] = [3, 'error'];

/** Calls the listener for each error in the console of the page. Returns a function that ends this. */
export function onConsoleError(
  contents: Pick<WebContents, 'on' | 'off'>,
  listener: (error: ConsoleError) => void,
): () => void {
  const onMessage = (details: Partial<ConsoleDetails>, ...[level, text, line, source]: OldConsoleDetails) => {
    if (!errorLevels.includes(details.level ?? level)) return;
    listener({
      text: details.message ?? text ?? '',
      source: details.sourceId ?? source ?? '',
      line: details.lineNumber ?? line ?? 0,
    });
  };
  contents.on('console-message', onMessage);
  return () => contents.off('console-message', onMessage);
}

/** The properties of the event since Electron 35; earlier versions pass them as parameters. */
interface ConsoleDetails {
  readonly level: unknown;
  readonly message: string;
  readonly lineNumber: number;
  readonly sourceId: string;
}

type OldConsoleDetails = readonly [level?: unknown, text?: string, line?: number, source?: string];

/**
 * Runs V8's garbage collector. Only new contexts have the `gc` function after the V8 flag is set. The flag is reset because V8's
 * code cache is valid only for the same flags.
 * @throws Error if this version of Electron does not expose the collector
 */
export function collectGarbage(newGc: () => unknown = () => runInNewContext('gc')): void {
  setFlagsFromString('--expose-gc');
  try {
    const gc = newGc();
    if (typeof gc !== 'function') throw new Error('V8 does not expose its garbage collector');
    (gc as () => void)();
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
