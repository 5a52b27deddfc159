/**
 * Runs a caller's script in the page's main world over the DevTools protocol, exactly once even if Chromium repeats the command.
 */
import { randomUUID } from 'node:crypto';
import { shortened } from '../../failure/failure.ts';
import { sendInChunks, maxChunkLength, type SendCommand, type RuntimeDomain } from './evaluate.ts';

interface ExceptionDetails {
  readonly text: string;
  readonly lineNumber: number;
  readonly exception?: { readonly description?: string; readonly value?: string | number | boolean | null };
}

interface PendingEvaluation {
  readonly exceptionDetails?: ExceptionDetails;
}

interface Protocol {
  readonly send: SendCommand;
  readonly runtime: RuntimeDomain;
}

/**
 * Runs the script and, if its value is a promise, awaits it. Returns the text and line of the error if the script throws. Returns
 * undefined if the script does not throw, or if it navigates the page. `name` identifies the script in stack traces.
 * Electron before electron#47434 reconnects its session whenever a frame is added, and Chromium then repeats all unanswered
 * commands. A script that adds a frame would run forever, and a script that waits would run twice. Therefore a slot for the outcome
 * is first created in the document. A repeated command, or a command in another document, finds no empty slot and runs nothing.
 */
export async function runOnce(protocol: Protocol, script: string, name: string): Promise<string | undefined> {
  const { send } = protocol;
  const key = randomUUID();
  const sourceUrl = `\n//# sourceURL=${name}`;
  try {
    await evaluate(send, `(${createSlot.toString()})(${JSON.stringify(key)})`);
    const code = await sendInChunks({ run: (chunk) => evaluate(send, chunk), key: randomUUID() }, script);
    const parameters = `${JSON.stringify(key)}, ${code} + ${JSON.stringify(sourceUrl)}`;
    const { exceptionDetails } = await evaluate(send, `(${runInSlot.toString()})(${parameters})`);
    if (exceptionDetails === undefined) return undefined;
    return describeError(exceptionDetails, name, await syntaxErrorLine(protocol, script));
  } catch (problem) {
    // The script has navigated the page.
    if (/context was destroyed|navigated or closed/i.test(String(problem))) return undefined;
    throw problem;
  }
}

/**
 * Evaluates code in the page's main world, even if scripts are disabled; executeJavaScript (page-calls.ts) does not run code then.
 */
export async function evaluate(send: SendCommand, expression: string): Promise<PendingEvaluation> {
  return (await send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    silent: true,
  })) as PendingEvaluation;
}

/** `outcome`: a promise of the value of the script's last statement; absent until the script starts. */
interface EvaluationSlot {
  outcome?: unknown;
}

function createSlot(key: string): void {
  const value: EvaluationSlot = {};
  Object.defineProperty(globalThis, Symbol.for(key), { value, configurable: true });
}

function runInSlot(key: string, script: string): unknown {
  const slot = (globalThis as unknown as Record<symbol, EvaluationSlot | undefined>)[Symbol.for(key)];
  if (slot === undefined || 'outcome' in slot) return slot?.outcome;
  // Indirect eval runs the script in the global scope. DevTools allows it despite the page's Content-Security-Policy.
  // The value is not returned, and of an error only its text, because the service would have to read them, whatever their length. The
  // page may have replaced all functions, so that none is called here.
  slot.outcome = (async () => {
    try {
      await (0, eval)(script);
    } catch (error) {
      const isObject = (typeof error === 'object' && error !== null) || typeof error === 'function';
      const text: unknown = isObject ? (error as { readonly stack?: unknown }).stack : error;
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- DevTools reports what is thrown, and needs no error object.
      if (typeof text === 'string') throw text.length <= 10_000 ? text : 'an error with a long text';
      throw isObject || typeof error === 'symbol' ? 'an object' : error;
    }
  })();
  return slot.outcome;
}

/**
 * Compiles the script and returns the line of a syntax error, counted from 0; undefined without a syntax error. The error that
 * `eval` throws does not contain this line.
 */
async function syntaxErrorLine({ send, runtime }: Protocol, script: string): Promise<number | undefined> {
  // A line number helps little in a script of this size, and the script would have to be sent in one message.
  if (script.length > maxChunkLength) return undefined;
  await runtime('checking', true);
  try {
    const parameters = { expression: script, sourceURL: '', persistScript: false };
    const { exceptionDetails } = (await send('Runtime.compileScript', parameters)) as PendingEvaluation;
    return exceptionDetails?.lineNumber;
  } finally {
    await runtime('checking', false);
  }
}

/**
 * Returns the first line of the error and, if known, the line of the caller's script that caused the error. Functions of the page
 * that the script called are skipped.
 */
function describeError(
  { text, exception }: ExceptionDetails,
  name: string,
  syntaxLine: number | undefined,
): string {
  const message = exception?.description ?? (exception?.value === undefined ? text : String(exception.value));
  // eslint-disable-next-line platen/linear-pattern -- One attempt for each line; only `.*` has a choice, and the digits after it are read once for each occurrence of the name.
  const stackFrame = new RegExp(`^ +at .*\\b${name}:(\\d+):\\d+\\)?$`, 'm');
  const line = syntaxLine === undefined ? stackFrame.exec(message)?.[1] : syntaxLine + 1;
  return shortened(message.split('\n')[0] ?? text) + (line === undefined ? '' : ` (line ${line})`);
}
