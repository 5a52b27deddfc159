/** Runs a script of the caller's in the page's own world by the DevTools protocol: once, however often Chromium is told to. */
import { randomUUID } from 'node:crypto';
import { shortened } from '../job/problem.ts';
import type { Send } from './emulation.ts';
import { inPieces, longestPiece } from './in-pieces.ts';
import type { RuntimeDomain } from './runtime-domain.ts';

interface ExceptionDetails {
  readonly text: string;
  readonly lineNumber: number;
  readonly exception?: { readonly description?: string; readonly value?: string | number | boolean | null };
}

interface Evaluation {
  readonly exceptionDetails?: ExceptionDetails;
}

interface Protocol {
  readonly send: Send;
  readonly runtime: RuntimeDomain;
}

/**
 * A promise the script ends with is awaited. The error's text when it throws, with the line; `name` is what the script is
 * called there. Undefined when it did not throw, or sent the page elsewhere.
 *
 * Electron before electron#47434 connects its session anew whenever a frame is added, and Chromium then sends again what
 * has not been answered: a script that adds a frame would run without end, and one that waits would run twice. So a place
 * for the outcome is made in the document first; who comes there second, or in another document, runs nothing.
 */
export async function runOnce(protocol: Protocol, script: string, name: string): Promise<string | undefined> {
  const { send } = protocol;
  const [key, ending] = [randomUUID(), `\n//# sourceURL=${name}`];
  try {
    await evaluate(send, `(${makePlace.toString()})(${JSON.stringify(key)})`);
    const code = await inPieces({ run: (piece) => evaluate(send, piece), key: randomUUID() }, script);
    const parameters = `${JSON.stringify(key)}, ${code} + ${JSON.stringify(ending)}`;
    const { exceptionDetails } = await evaluate(send, `(${begin.toString()})(${parameters})`);
    if (exceptionDetails === undefined) return undefined;
    return describe(exceptionDetails, name, await mistakeIn(protocol, script));
  } catch (problem) {
    // The script has sent the page elsewhere.
    if (/context was destroyed|navigated or closed/i.test(String(problem))) return undefined;
    throw problem;
  }
}

/** Also where scripts are disabled, which Electron's executeJavaScript respects in the page's own world. */
export async function evaluate(send: Send, expression: string): Promise<Evaluation> {
  return (await send('Runtime.evaluate', { expression, awaitPromise: true, silent: true })) as Evaluation;
}

/** What the script's last statement was worth; not there before it has begun. */
interface Place {
  outcome?: unknown;
}

function makePlace(key: string): void {
  const value: Place = {};
  Object.defineProperty(globalThis, Symbol.for(key), { value, configurable: true });
}

function begin(key: string, script: string): unknown {
  const place = (globalThis as unknown as Record<symbol, Place | undefined>)[Symbol.for(key)];
  if (place === undefined || 'outcome' in place) return place?.outcome;
  // As a script of its own; DevTools let it pass, whatever the page's policy.
  place.outcome = new Promise((settle) => {
    settle((0, eval)(script));
  });
  return place.outcome;
}

/** The line where a script is none, counted from 0: the error of a script that is evaluated does not tell it. */
async function mistakeIn({ send, runtime }: Protocol, script: string): Promise<number | undefined> {
  // Nobody reads it by lines, and it would have to be sent whole.
  if (script.length > longestPiece) return undefined;
  await runtime('checking', true);
  try {
    const parameters = { expression: script, sourceURL: '', persistScript: false };
    const { exceptionDetails } = (await send('Runtime.compileScript', parameters)) as Evaluation;
    return exceptionDetails?.lineNumber;
  } finally {
    await runtime('checking', false);
  }
}

/** First line of the error, with the line of the script where it is known; the page's functions it calls have lines of their own. */
function describe({ text, exception }: ExceptionDetails, name: string, mistake: number | undefined): string {
  const said = exception?.description ?? (exception?.value === undefined ? text : String(exception.value));
  const place = new RegExp(`^ +at .*\\b${name}:(\\d+):\\d+\\)?$`, 'm');
  const line = mistake === undefined ? place.exec(said)?.[1] : mistake + 1;
  return shortened(said.split('\n')[0] ?? text) + (line === undefined ? '' : ` (line ${line})`);
}
