/**
 * Runs functions and page scripts of the service inside a page, in an isolated world that the page's scripts cannot reach. A
 * function is sent as its source text, so it may use only its parameters and the DOM.
 */
import type { WebContents } from 'electron';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../../async/signals.ts';
import { executeJavaScriptInIsolatedWorld } from './page-calls.ts';
import type * as breaks from '../page-scripts/breaks.ts';
import type * as article from '../page-scripts/content/article.ts';
import type * as element from '../page-scripts/content/element.ts';
import type * as controls from '../page-scripts/controls/controls.ts';
import type * as documentSize from '../page-scripts/document-size.ts';
import type * as examine from '../page-scripts/examine/examine.ts';
import type * as headerFooter from '../page-scripts/header-footer.ts';
import type * as pictures from '../page-scripts/examine/pictures.ts';
import type * as library from '../page-scripts/library.ts';
import type * as pageReferences from '../page-scripts/page-references.ts';
import type * as pageRules from '../page-scripts/page-rules.ts';
import type * as printDestinations from '../page-scripts/print-destinations.ts';
import type * as workerActivity from '../page-scripts/worker-activity.ts';
import type * as warnings from '../page-scripts/examine/warnings.ts';
import type * as expand from '../page-scripts/scrolling/expand.ts';
import type * as fixed from '../page-scripts/scrolling/fixed.ts';
import type * as reveal from '../page-scripts/scrolling/reveal.ts';
import type * as virtualLists from '../page-scripts/scrolling/virtual-lists.ts';
import type * as settling from '../page-scripts/settling.ts';
import type * as sketch from '../page-scripts/sketch.ts';

/**
 * The world of Electron's preload scripts, which every page has anyway. For each document, Chromium recreates all worlds that the
 * frame has used. Another world would take about a millisecond.
 */
const isolatedWorldId = 999;

/** Runs a function in the main frame and returns its result. Never settles if the page navigates meanwhile. */
export async function callInPage<A extends readonly unknown[], T>(
  contents: WebContents,
  pageFunction: (...parameters: A) => T,
  ...parameters: A
): Promise<Awaited<T>> {
  return runInPage<T>(contents, `(${pageFunction.toString()})(...${JSON.stringify(parameters)})`);
}

/** Runs code in the main frame and returns its value. Never settles if the page navigates meanwhile. */
export async function runInPage<T>(contents: WebContents, code: string): Promise<Awaited<T>> {
  return (await executeJavaScriptInIsolatedWorld(contents, isolatedWorldId, code)) as Awaited<T>;
}

const frameTimeoutMs = 1000;
/** A page may have a thousand frames. */
export const maxFrames = 200;

/**
 * Evaluates an expression in the first frames except the main frame, whatever their origins, and returns the values. The value is null
 * for a frame that throws, and undefined for one that does not answer. The expression runs in the main world, because Electron offers
 * no other world for frames.
 */
export async function runInFrames(mainFrame: Electron.WebFrameMain, expression: string): Promise<unknown[]> {
  const frames = mainFrame.framesInSubtree.filter((frame) => frame !== mainFrame).slice(0, maxFrames);
  if (frames.length === 0) return [];
  const allAnswered = new AbortController();
  const timeout = pause(frameTimeoutMs, allAnswered.signal).catch(() => undefined);
  const answers = frames.map((frame) => runInFrame(frame, expression).catch(() => undefined));
  const values = await Promise.all(answers.map((answer) => Promise.race([answer, timeout])));
  allAnswered.abort();
  return values;
}

/**
 * Evaluates an expression in a frame other than the main frame, and returns a copy of its value, which the page may have forged; null
 * if it throws. Runs in the main world, as in `runInFrames`.
 */
export async function runInFrame(frame: Electron.WebFrameMain, expression: string): Promise<unknown> {
  const call = `(${smallCopy.toString()})(() => (${expression}))`;
  const { copy } = (await frame.executeJavaScript(call)) as SmallCopy;
  return withArrays(copy);
}

interface SmallCopy {
  /** Arrays are objects with a length. */
  copy: unknown;
}

/**
 * Returns a copy of the plain data that a function returns, without what exceeds about 200,000 characters: the main process would need
 * seconds to read a large value or error. Runs inside the page, and uses nothing that the page could replace: all objects that it makes
 * have no prototype.
 */
async function smallCopy(run: () => unknown): Promise<SmallCopy> {
  let room = 200_000;
  const copyOf = (original: unknown, depth: number): unknown => {
    room -= typeof original === 'string' ? original.length : 10;
    if (room < 0 || depth === 0) return null;
    if (typeof original !== 'object' || original === null) return original;
    const members = original as Record<string, unknown>;
    const copy: Record<string, unknown> = { __proto__: null };
    const { length } = members;
    if (typeof length === 'number') copy.length = length;
    for (const key in members) {
      room -= key.length;
      if (room < 0) break;
      copy[key] = copyOf(members[key], depth - 1);
    }
    return copy;
  };
  const answer = { __proto__: null, copy: null } as unknown as SmallCopy;
  try {
    answer.copy = copyOf(await run(), 5);
  } catch {
    // The error may be as large as a value.
  }
  return answer;
}

/** Returns the value with arrays instead of objects with a length. */
function withArrays(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, withArrays(member)] as const);
  if (!('length' in value)) return Object.fromEntries(entries);
  return entries.filter(([key]) => key !== 'length').map(([, member]) => member);
}

/**
 * The exports of the scripts in `page-scripts/`, by file name. The scripts are compiled one by one (build/setup/compile.mjs) and
 * sent as text.
 */
interface PageScripts {
  readonly article: typeof article;
  readonly breaks: typeof breaks;
  readonly controls: typeof controls;
  readonly 'document-size': typeof documentSize;
  readonly element: typeof element;
  readonly examine: typeof examine;
  readonly expand: typeof expand;
  readonly fixed: typeof fixed;
  readonly 'header-footer': typeof headerFooter;
  readonly library: typeof library;
  readonly 'page-references': typeof pageReferences;
  readonly 'page-rules': typeof pageRules;
  readonly pictures: typeof pictures;
  readonly 'print-destinations': typeof printDestinations;
  readonly reveal: typeof reveal;
  readonly settling: typeof settling;
  readonly sketch: typeof sketch;
  readonly 'virtual-lists': typeof virtualLists;
  readonly warnings: typeof warnings;
  readonly 'worker-activity': typeof workerActivity;
}

type PageScript = keyof PageScripts;

/** The names of the functions that a page script exports. */
type PageFunctionName<S extends PageScript> = {
  [N in keyof PageScripts[S]]: PageScripts[S][N] extends (...parameters: never[]) => unknown ? N : never;
}[keyof PageScripts[S]] &
  string;

/** A function of a page script, such as `fixed.coveringElements`. */
type PageFunctionPath = { [S in PageScript]: `${S}.${PageFunctionName<S>}` }[PageScript];

type PageFunction<P extends PageFunctionPath> = P extends `${infer S extends PageScript}.${infer N}`
  ? Extract<PageScripts[S][N & keyof PageScripts[S]], (...parameters: never[]) => unknown>
  : never;

/** The source code read so far. The files do not change while the service runs. */
const sources = new Map<PageScript, Promise<string>>();

/**
 * Returns code that calls a function of a page script. The parameters are sent as JSON. The code leaves no globals in the page, and
 * can stand in a script element.
 */
export async function pageScriptCall<P extends PageFunctionPath>(
  path: P,
  ...parameters: Parameters<PageFunction<P>>
): Promise<string> {
  const [script, name] = path.split('.') as [PageScript, string];
  const pending = sources.get(script) ?? readFile(join(import.meta.dirname, `page-${script}.cjs`), 'utf8');
  sources.set(script, pending);
  const source = await pending;
  // The variable `program` contains the exports of the script (build/setup/compile.mjs).
  const call = `program.${name}(...${JSON.stringify(parameters).replaceAll('<', '\\u003c')})`;
  return `(() => {\n${source}\nreturn ${call};\n})()\n//# sourceURL=platen-${script}`;
}

/** Calls a function of a page script in the main frame. Never settles if the page navigates meanwhile. */
export async function callPageScript<P extends PageFunctionPath>(
  contents: WebContents,
  path: P,
  ...parameters: Parameters<PageFunction<P>>
): Promise<Awaited<ReturnType<PageFunction<P>>>> {
  return runInPage<ReturnType<PageFunction<P>>>(contents, await pageScriptCall(path, ...parameters));
}

/** Sends a command of the DevTools protocol. @throws Error if Chromium rejects it */
export type SendCommand = (method: string, parameters?: object) => Promise<unknown>;

/**
 * Enables or disables the protocol's Runtime domain for one feature (`user`). The domain stays enabled while at least one feature
 * needs it.
 */
export type RuntimeDomain = (
  user: 'checking' | 'frameless' | 'recording',
  isNeeded: boolean,
) => Promise<void>;

export function runtimeDomain(send: SendCommand): RuntimeDomain {
  const users = new Set<string>();
  return async (user, isNeeded) => {
    const wasEnabled = users.size > 0;
    if (isNeeded) users.add(user);
    else users.delete(user);
    const isEnabled = users.size > 0;
    if (wasEnabled !== isEnabled) await send(isEnabled ? 'Runtime.enable' : 'Runtime.disable');
  };
}

// Sends a long string into a page in chunks: one message of 50 MB blocks the main process for half a second. The page stores each
// chunk under its index, because Chromium may run a command twice (run-once.ts).

/** Length in characters. A message of this size takes a few milliseconds. */
export const maxChunkLength = 500_000;

interface Transfer {
  /** Runs code in the world that receives the text. */
  readonly run: (code: string) => Promise<unknown>;
  /** Unguessable name under which that world stores the text. */
  readonly key: string;
}

/**
 * Sends the text and returns an expression that evaluates to the text. The expression must be evaluated only once. It evaluates to
 * undefined if the page has navigated since the first chunk.
 */
export async function sendInChunks({ run, key }: Transfer, text: string): Promise<string> {
  if (text.length <= maxChunkLength) return JSON.stringify(text);
  const store = `globalThis[Symbol.for(${JSON.stringify(key)})]`;
  await run(`void (${store} ??= [])`);
  for (let start = 0; start < text.length; start += maxChunkLength) {
    const chunk = JSON.stringify(text.slice(start, start + maxChunkLength));
    // `void` keeps the chunk from being sent back as the result.
    await run(`void (${store} && (${store}[${start / maxChunkLength}] = ${chunk}))`);
  }
  return `(() => { const chunks = ${store}; delete ${store}; return chunks?.join('') })()`;
}

/** Returns the id of the main frame in the DevTools protocol. */
export async function mainFrameId(send: SendCommand): Promise<string> {
  const { frameTree } = (await send('Page.getFrameTree', {})) as { frameTree: { frame: { id: string } } };
  return frameTree.frame.id;
}

/** Creates an isolated world, which exists as long as the document, and returns its context id. */
export async function createIsolatedWorld(send: SendCommand): Promise<number> {
  const world = { frameId: await mainFrameId(send), worldName: 'platen' };
  const { executionContextId } = (await send('Page.createIsolatedWorld', world)) as {
    executionContextId: number;
  };
  return executionContextId;
}
