/**
 * Runs functions and page scripts of the service inside a page, in an isolated world that the page's scripts cannot reach. A
 * function is sent as its source text, so it may use only its parameters and the DOM.
 */
import type { WebContents } from 'electron';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../../async/signals.ts';

/** Any id except 0 (the page's main world) and 999 (Electron's preload scripts) would do. */
const isolatedWorldId = 7;

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
  return (await contents.executeJavaScriptInIsolatedWorld(isolatedWorldId, [{ code }])) as Awaited<T>;
}

const frameTimeoutMs = 1000;

/**
 * Runs code in each frame except the main frame, whatever its origin, and returns the values. The value is undefined for a frame
 * that throws or does not answer. The code runs in the main world, because Electron offers no other world for frames.
 */
export async function runInFrames(mainFrame: Electron.WebFrameMain, code: string): Promise<unknown[]> {
  const frames = mainFrame.framesInSubtree.filter((frame) => frame !== mainFrame);
  if (frames.length === 0) return [];
  const allAnswered = new AbortController();
  const timeout = pause(frameTimeoutMs, allAnswered.signal).catch(() => undefined);
  const answers = frames.map((frame) => frame.executeJavaScript(code).catch(() => undefined));
  const values = await Promise.all(answers.map((answer) => Promise.race([answer, timeout])));
  allAnswered.abort();
  return values;
}

/** The scripts of `page-scripts/`, which are compiled one by one (build/setup/compile.mjs) and sent as text. */
type PageScript =
  | 'article'
  | 'breaks'
  | 'controls'
  | 'element'
  | 'expand'
  | 'fixed'
  | 'library'
  | 'examine'
  | 'page-rules'
  | 'settling'
  | 'sketch'
  | 'header-footer';

/** The source texts read so far. The files do not change while the service runs. */
const sources = new Map<PageScript, Promise<string>>();

/**
 * Returns code that evaluates an expression in which `program` holds the script's exports. The code leaves no globals in the page.
 */
export async function pageScriptCode(name: PageScript, expression: string): Promise<string> {
  const pending = sources.get(name) ?? readFile(join(import.meta.dirname, `page-${name}.cjs`), 'utf8');
  sources.set(name, pending);
  const source = await pending;
  return `(() => {\n${source}\nreturn ${expression};\n})()\n//# sourceURL=platen-${name}`;
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

// Sends a long text into a page in chunks: one message of 50 MB blocks the main process for half a second. The page stores each
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
