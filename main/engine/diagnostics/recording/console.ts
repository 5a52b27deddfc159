/** Records the console output of a job's page, its uncaught exceptions, and Chromium's own messages about the page. */
import type { DebugLog } from '../../../log/debug-log.ts';
import type { ConsoleEvent } from '../../../log/events.ts';
import { displayUrl, withDisplayUrls } from '../../requests/shown-address.ts';
import type { ConsoleError } from '../../window/electron-adapter.ts';
import { withoutErrorNames } from './network-errors.ts';
import { pageCalls, type CallFrame, type StackTrace } from './messages.ts';

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

type ConsoleLevel = ConsoleEvent['detail']['level'];

const levels: Readonly<Record<string, ConsoleLevel>> = {
  verbose: 'debug',
  debug: 'debug',
  warning: 'warning',
  error: 'error',
  assert: 'error',
};

/** Console methods that show no message. */
const ignoredCalls = new Set(['clear', 'endGroup', 'profile', 'profileEnd']);

const maxTextLength = 10_000;
const maxStackLines = 20;
const maxListLength = 100;
/** The longest name of a function in a stack. */
const maxNameLength = 200;

/**
 * Maximum number of written messages that are remembered. When the debugger attaches to a frame's process, Chromium repeats earlier
 * messages; these are dropped.
 */
const maxRemembered = 2000;

/** Returns a function that records one message of the DevTools protocol. */
export function recordConsole(log: DebugLog): (method: string, message: unknown) => void {
  const writtenKeys = new Set<string>();
  const beganAt = Date.now();
  const write = (timestamp: number, { level, text, location, stack }: ConsoleMessage) => {
    // An earlier message belongs to an earlier job: Chromium first sends all stored messages of the current page.
    if (timestamp < beganAt) return;
    const source = displayUrl(location?.url ?? '');
    const line = (location?.lineNumber ?? -1) + 1;
    const column = (location?.columnNumber ?? -1) + 1;
    const key = `${timestamp} ${level} ${source}:${line}:${column}`;
    if (writtenKeys.has(key)) return;
    if (writtenKeys.size >= maxRemembered) writtenKeys.clear();
    writtenKeys.add(key);
    const calls = stack === undefined ? [] : stackLines(stack);
    const detail = {
      level,
      source,
      line,
      ...(column > 0 && { column }),
      ...(calls.length > 0 && { stack: calls }),
    };
    log.write({ kind: 'console', text: withDisplayUrls(text.slice(0, maxTextLength)), detail });
  };
  const handlers: Readonly<Record<string, (message: never) => void>> = {
    'Runtime.consoleAPICalled': (message: ConsoleCall) => {
      recordCall(message, write);
    },
    'Runtime.exceptionThrown': (message: ExceptionThrown) => {
      recordException(message, write);
    },
    'Log.entryAdded': ({ entry }: { readonly entry: LogEntry }) => {
      recordEntry(entry, write);
    },
  };
  return (method, message) => handlers[method]?.(truncated(message) as never);
}

const maxKeptErrors = 50;

/** Returns a function that keeps the first errors in the console of a job's page for the warnings about the job. */
export function keepConsoleErrors(log: DebugLog): (error: ConsoleError) => void {
  let left = maxKeptErrors;
  return ({ text, source, line }) => {
    if ((left -= 1) < 0) return;
    const [, thrown] = /^Uncaught (?:\(in promise\) )?([^]*)/.exec(text.slice(0, maxTextLength)) ?? [];
    log.keep({
      kind: 'console',
      text: withDisplayUrls(thrown ?? text.slice(0, maxTextLength)),
      detail: { level: thrown === undefined ? 'error' : 'exception', source: displayUrl(source), line },
    });
  };
}

/**
 * Returns the message with strings of at most `maxTextLength` characters and lists of at most `maxListLength` members. A page chooses
 * their lengths: formatting a message of 50 MB takes minutes.
 */
function truncated(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, maxTextLength);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, maxListLength).map(truncated);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, truncated(member)]));
}

interface ConsoleMessage {
  readonly level: ConsoleLevel;
  readonly text: string;
  readonly location: Partial<CallFrame> | undefined;
  readonly stack?: StackTrace | undefined;
}

type WriteConsoleEvent = (timestamp: number, message: ConsoleMessage) => void;

function recordCall({ type, args, timestamp, stackTrace }: ConsoleCall, write: WriteConsoleEvent): void {
  if (ignoredCalls.has(type)) return;
  const level = levels[type] ?? 'info';
  const message = messageText(args);
  const text = type === 'assert' ? `Assertion failed: ${message}` : message;
  const needsStack = type === 'trace' || level === 'error' || level === 'warning';
  write(timestamp, {
    level,
    text,
    location: stackTrace && pageCalls(stackTrace)[0],
    stack: needsStack ? stackTrace : undefined,
  });
}

function recordException({ timestamp, exceptionDetails }: ExceptionThrown, write: WriteConsoleEvent): void {
  const { text, url, lineNumber, columnNumber, exception, stackTrace } = exceptionDetails;
  // Line and column are those of the first call. A syntax error has no calls.
  const location = {
    url: (stackTrace && pageCalls(stackTrace)[0]?.url) ?? url ?? '',
    lineNumber,
    columnNumber,
  };
  const thrown = exception === undefined ? '' : ` ${withoutStack(argumentText(exception))}`;
  write(timestamp, { level: 'exception', text: text + thrown, location, stack: stackTrace });
}

/** Removes the stack trace that follows the message in the description of an error: its last lines, backwards. */
function withoutStack(description: string): string {
  let end = description.trimEnd().length;
  let hasStack = false;
  while (end > 0) {
    const lineStart = description.lastIndexOf('\n', end - 1);
    if (lineStart === -1 || !/^\n\s+at /.test(description.slice(lineStart, lineStart + maxIndent))) break;
    hasStack = true;
    end = lineStart;
  }
  return hasStack ? description.slice(0, end) : description;
}

/** V8 writes four blanks before `at`. */
const maxIndent = 100;

/**
 * Records a message of Chromium. Skips failed requests, which are logged as requests, and messages of workers, which arrive through
 * the workers' own sessions.
 */
function recordEntry(entry: LogEntry, write: WriteConsoleEvent): void {
  const { source, level, text, timestamp, url, lineNumber, stackTrace } = entry;
  if (source === 'network' || source === 'worker') return;
  const location = (stackTrace && pageCalls(stackTrace)[0]) ?? {
    url: url ?? '',
    ...(lineNumber !== undefined && { lineNumber }),
  };
  write(timestamp, {
    level: levels[level] ?? 'info',
    text: withoutErrorNames(text),
    location,
    stack: stackTrace,
  });
}

/** Returns lines such as `total (index.html:3:14)`. */
function stackLines(stack: StackTrace): string[] {
  const calls = pageCalls(stack).slice(0, maxStackLines);
  return calls.map(({ functionName, url, lineNumber, columnNumber }) => {
    const location = `${displayUrl(url)}:${lineNumber + 1}:${columnNumber + 1}`;
    return functionName === '' ? location : `${functionName.slice(0, maxNameLength)} (${location})`;
  });
}

/**
 * A value of a page's script, as the protocol's RemoteObject describes it. The functions below format it on one line, like the
 * DevTools console.
 */
export interface RemoteObject {
  readonly type: string;
  readonly subtype?: string;
  readonly className?: string;
  readonly value?: unknown;
  /** Set for numbers that JSON cannot express. */
  readonly unserializableValue?: string;
  readonly description?: string;
  readonly preview?: ObjectPreview;
}

interface ObjectPreview {
  readonly type: string;
  readonly subtype?: string;
  readonly description?: string;
  readonly overflow: boolean;
  readonly properties: readonly PropertyPreview[];
  readonly entries?: readonly { readonly key?: ObjectPreview; readonly value: ObjectPreview }[];
}

interface PropertyPreview {
  readonly name: string;
  readonly type: string;
  readonly subtype?: string;
  readonly value?: string;
  readonly valuePreview?: ObjectPreview;
}

/** Formats a value like an argument of console.log: strings are not quoted. */
function argumentText(object: RemoteObject): string {
  const { type, subtype, value, unserializableValue, description, preview } = object;
  if (type === 'string') return String(value);
  if (type === 'undefined') return 'undefined';
  if (subtype === 'null') return 'null';
  if (type !== 'object') return unserializableValue ?? functionText(object) ?? description ?? String(value);
  if (preview === undefined || /^(error|node|date|regexp)$/.test(subtype ?? ''))
    return description ?? object.className ?? 'Object';
  return previewText(preview);
}

/**
 * Formats the message of `console.log(first, ...others)`: each directive such as `%s` in `first` consumes one of the others
 * (Console, 2.2.1).
 */
export function messageText(values: readonly RemoteObject[]): string {
  const [first, ...others] = values;
  if (first === undefined) return '';
  if (first.type !== 'string') return values.map(argumentText).join(' ');
  let used = 0;
  const text = String(first.value).replace(/%([sdifoOc%])/g, (directive, letter: string) => {
    if (letter === '%') return '%';
    const next = others[used];
    if (next === undefined) return directive;
    used += 1;
    // `%c` consumes a style, which is not shown.
    return letter === 'c' ? '' : argumentText(next);
  });
  return [text, ...others.slice(used).map(argumentText)].join(' ');
}

/** Returns the first line of a function, such as `function add(a, b) {`. */
function functionText({ type, description = '' }: RemoteObject): string | undefined {
  return type === 'function' ? (description.split('\n', 1)[0] ?? '').slice(0, 100) : undefined;
}

function previewText({ subtype, description = '', overflow, properties, entries }: ObjectPreview): string {
  const more = overflow ? ['…'] : [];
  if (entries !== undefined) {
    const shown = entries.map(({ key, value }) => (key ? `${entryText(key)} => ` : '') + entryText(value));
    return `${description} {${[...shown, ...more].join(', ')}}`;
  }
  if (subtype === 'array' || subtype === 'typedarray') {
    const items = properties.map(
      (entry) => (/^\d+$/.test(entry.name) ? '' : `${entry.name}: `) + valueText(entry),
    );
    return `${description} [${[...items, ...more].join(', ')}]`;
  }
  const pairs = properties.map((property) => `${property.name}: ${valueText(property)}`);
  return `${description === 'Object' ? '' : `${description} `}{${[...pairs, ...more].join(', ')}}`;
}

function entryText(preview: ObjectPreview): string {
  const { type, description = '' } = preview;
  if (type === 'string') return `'${description}'`;
  return type === 'object' && preview.subtype !== 'null' ? previewText(preview) : description;
}

function valueText({ type, value = '', valuePreview }: PropertyPreview): string {
  if (type === 'string') return `'${value}'`;
  if (type === 'function') return 'ƒ';
  if (type === 'accessor') return '(…)';
  return valuePreview ? previewText(valuePreview) : value;
}
