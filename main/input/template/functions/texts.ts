/**
 * The template functions for strings. They search only for literal text: a regular expression in a template could run for hours.
 */
import { randomUUID } from 'node:crypto';
import { fitsDouble } from '../data/decimal.ts';
import { checkText, maxListLength, maxTextLength } from '../output.ts';
import { TemplateProblem } from '../problem.ts';
import { escapeHtml, WrittenNumber, SafeMarkup, textOf } from '../values.ts';
import { functionTable, textArgument, integerArgument, type FunctionCall } from './call.ts';

export const texts = functionTable({
  upper: (call) => inputText(call).toUpperCase(),
  uppercase: (call) => inputText(call).toUpperCase(),
  lower: (call) => inputText(call).toLowerCase(),
  lowercase: (call) => inputText(call).toLowerCase(),
  capitalize: (call) => capitalized(inputText(call)),
  title: (call) => inputText(call).split(' ').map(capitalized).join(' '),
  trim: (call) => inputText(call).trim(),
  string: inputText,
  concat: ({ args }) => joined(args.map(textOf)),
  replace: (call) => replace(call),
  truncate,
  split: (call) => inputText(call).split(textArgument(call, 'separator', 1) ?? ' ', maxListLength + 1),
  padStart: (call) => inputText(call).padStart(paddedLength(call), textArgument(call, 'text', 2) ?? ' '),
  padEnd: (call) => inputText(call).padEnd(paddedLength(call), textArgument(call, 'text', 2) ?? ' '),
  nl2br: (call) => new SafeMarkup(replaced(escapeHtml(inputText(call)), '\n', '<br>\n')),
  escape: ({ args: [value] }) =>
    value instanceof SafeMarkup ? value : new SafeMarkup(escapeHtml(textOf(value))),
  e: ({ args: [value] }) => (value instanceof SafeMarkup ? value : new SafeMarkup(escapeHtml(textOf(value)))),
  safe: (call) => new SafeMarkup(inputText(call)),
  // An unpaired surrogate becomes U+FFFD (Encoding, 4.1).
  urlencode: (call) => encodeURIComponent(inputText(call).toWellFormed()),
  wordcount: (call) => inputText(call).split(/\s+/).filter(Boolean).length,
  json,
  tojson: json,
  dump: json,
});

function inputText({ args: [value] }: FunctionCall): string {
  return textOf(value);
}

function paddedLength(call: FunctionCall): number {
  const length = integerArgument(call, 'length', 1) ?? 0;
  checkText(length);
  return length;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();
}

function joined(segments: readonly string[]): string {
  checkText(segments.reduce((sum, part) => sum + part.length, 0));
  return segments.join('');
}

function replace(call: FunctionCall): string {
  const from = textArgument(call, 'from', 1);
  if (from === undefined || from === '') throw new TemplateProblem('replace needs a string to search for');
  return replaced(inputText(call), from, textArgument(call, 'to', 2) ?? '');
}

/**
 * Replaces every `from` in a string with `to`. Checks the length first: replacing each letter of a long string with a long one
 * would exhaust the heap.
 */
function replaced(text: string, from: string, to: string): string {
  const matches = text.split(from, 1_000_001).length - 1;
  checkText(text.length + matches * to.length);
  return text.replaceAll(from, () => to);
}

/** Shortens a string to `length` characters including the appended `end`. Cuts at the last space if it is in the second half. */
function truncate(call: FunctionCall): string {
  const text = inputText(call);
  const length = integerArgument(call, 'length', 1) ?? 255;
  const end = textArgument(call, 'end', 2) ?? '…';
  if (text.length <= length) return text;
  const cut = text.slice(0, Math.max(0, length - end.length));
  const space = text[cut.length] === ' ' ? cut.length : cut.lastIndexOf(' ');
  return (space > cut.length / 2 ? cut.slice(0, space) : cut).trimEnd() + end;
}

/** Returns a value as JSON that cannot end a script element around it. The second argument, or `indent`, is the indentation. */
function json(call: FunctionCall): SafeMarkup {
  const [value] = call.args;
  checkText(approximateJsonLength(value, maxTextLength));
  // No text of the data can contain the mark.
  const mark = randomUUID();
  const marked = JSON.stringify(
    value instanceof SafeMarkup ? value.text : (value ?? null),
    (_key, member: unknown) => (member instanceof WrittenNumber ? jsonNumber(member, mark) : member),
    indent(call),
  );
  const jsonText = marked
    .split(`"${mark}`)
    .map((part, index) => (index === 0 ? part : part.replace('"', '')))
    .join('');
  checkText(jsonText.length);
  return new SafeMarkup(jsonText.replace(/[<>&'\u2028\u2029]/g, escapedInScript));
}

/** Returns the number behind the mark; without it if it is not written as JSON is. */
function jsonNumber({ text }: WrittenNumber, mark: string): string | number {
  if (/^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i.test(text)) return mark + text;
  return fitsDouble(text) ? Number(text) : text;
}

/** Estimates the length of a value as JSON. Stops above `limit`, because a list may contain the same text a million times. */
function approximateJsonLength(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let sum = 2;
  for (const [key, member] of Object.entries(value)) {
    sum += key.length + approximateJsonLength(member, limit - sum);
    if (sum > limit) return sum;
  }
  return sum;
}

function indent(call: FunctionCall): number {
  return Math.min(8, integerArgument(call, 'indent', 1) ?? 0);
}

function escapedInScript(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
