/** Writes what a job's page says: its scripts on the console, exceptions nobody caught, and Chromium about the page. */
import type { DebugLog } from '../../log/debug-log.ts';
import type { ConsoleEvent } from '../../log/events.ts';
import { shown, withShownAddresses } from '../shown-address.ts';
import { withoutErrorNames } from './failure-words.ts';
import type { CallFrame, StackTrace } from './messages.ts';
import { argumentText, messageText, type RemoteObject } from './remote-object.ts';

interface ConsoleCall {
  readonly type: string;
  readonly args: readonly RemoteObject[];
  readonly timestamp: number;
  readonly stackTrace?: StackTrace;
}

interface ExceptionThrown {
  readonly timestamp: number;
  readonly exceptionDetails: {
    readonly text: string;
    readonly url?: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
    readonly exception?: RemoteObject;
    readonly stackTrace?: StackTrace;
  };
}

interface LogEntry {
  readonly source: string;
  readonly level: string;
  readonly text: string;
  readonly timestamp: number;
  readonly url?: string;
  readonly lineNumber?: number;
  readonly stackTrace?: StackTrace;
}

type Level = ConsoleEvent['detail']['level'];

const levels: Readonly<Record<string, Level>> = {
  ...{ verbose: 'debug', debug: 'debug', warning: 'warning', error: 'error', assert: 'error' },
};

/** Calls that say nothing. */
const silent = new Set(['clear', 'endGroup', 'profile', 'profileEnd']);

const longestText = 10_000;
const longestStack = 20;

/** Chromium tells again of what was said before a frame's process had its agents, so that no line must come twice. */
const mostRemembered = 2000;

/** Takes one message of the protocol. */
export function recordConsole(log: DebugLog): (method: string, message: unknown) => void {
  const known = new Set<string>();
  const begin = Date.now();
  const write = (timestamp: number, { level, text, place, stack }: Said) => {
    // Of an earlier job: Chromium begins with all that it remembers of the page that is there.
    if (timestamp < begin) return;
    const source = shown(place?.url ?? '');
    const [line, column] = [(place?.lineNumber ?? -1) + 1, (place?.columnNumber ?? -1) + 1];
    const key = `${timestamp} ${level} ${source}:${line}:${column}`;
    if (known.has(key)) return;
    if (known.size >= mostRemembered) known.clear();
    known.add(key);
    const calls = stack === undefined ? [] : stackLines(stack);
    const detail = {
      level,
      source,
      line,
      ...(column > 0 && { column }),
      ...(calls.length > 0 && { stack: calls }),
    };
    log.write({ kind: 'console', text: withShownAddresses(text.slice(0, longestText)), detail });
  };
  return (method, message) => {
    if (method === 'Runtime.consoleAPICalled') takeCall(message as ConsoleCall, write);
    if (method === 'Runtime.exceptionThrown') takeException(message as ExceptionThrown, write);
    if (method === 'Log.entryAdded') takeEntry((message as { entry: LogEntry }).entry, write);
  };
}

interface Said {
  readonly level: Level;
  readonly text: string;
  readonly place: Partial<CallFrame> | undefined;
  readonly stack?: StackTrace | undefined;
}

type Write = (timestamp: number, said: Said) => void;

function takeCall({ type, args, timestamp, stackTrace }: ConsoleCall, write: Write): void {
  if (silent.has(type)) return;
  const level = levels[type] ?? 'info';
  const said = messageText(args);
  const text = type === 'assert' ? `Assertion failed: ${said}` : said;
  const telling = type === 'trace' || level === 'error' || level === 'warning';
  write(timestamp, {
    level,
    text,
    place: stackTrace?.callFrames[0],
    stack: telling ? stackTrace : undefined,
  });
}

function takeException({ timestamp, exceptionDetails }: ExceptionThrown, write: Write): void {
  const { text, url, lineNumber, columnNumber, exception, stackTrace } = exceptionDetails;
  // Line and column are those of the first call; an error of syntax has no calls.
  const place = { url: stackTrace?.callFrames[0]?.url ?? url ?? '', lineNumber, columnNumber };
  const thrown = exception === undefined ? '' : ` ${withoutStack(argumentText(exception))}`;
  write(timestamp, { level: 'exception', text: text + thrown, place, stack: stackTrace });
}

/** An error's description has its calls below its message. */
function withoutStack(description: string): string {
  return description.replace(/(\n\s+at .*)+\s*$/, '');
}

/** Requests that failed are written as such; what workers say, their own sessions tell. */
function takeEntry(entry: LogEntry, write: Write): void {
  const { source, level, text, timestamp, url, lineNumber, stackTrace } = entry;
  if (source === 'network' || source === 'worker') return;
  const place = stackTrace?.callFrames[0] ?? {
    url: url ?? '',
    ...(lineNumber !== undefined && { lineNumber }),
  };
  write(timestamp, {
    level: levels[level] ?? 'info',
    text: withoutErrorNames(text),
    place,
    stack: stackTrace,
  });
}

/** `total (index.html:3:14)` */
function stackLines({ callFrames }: StackTrace): string[] {
  return callFrames.slice(0, longestStack).map(({ functionName, url, lineNumber, columnNumber }) => {
    const place = `${shown(url)}:${lineNumber + 1}:${columnNumber + 1}`;
    return functionName === '' ? place : `${functionName} (${place})`;
  });
}
