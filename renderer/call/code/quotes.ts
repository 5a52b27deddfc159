/** A text as a literal of each language, so that the program has exactly this text, whatever is in it. Pure. */

/** Control characters that copying, an editor or a terminal may change: all but line feed and tab. */
const unsafe = /[\x01-\x08\x0b-\x1f\x7f]/;

/** POSIX shell; with control characters as bash, zsh and POSIX of 2024 write them. */
export function inShell(text: string): string {
  if (unsafe.test(text)) return `$'${escaped(text, /[\\']/, (code) => `\\${octal(code)}`)}'`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** PowerShell takes typographic apostrophes for quotation marks too (about_Quoting_Rules). */
export function inPowerShell(text: string): string {
  const parts = text
    .split(/([\x01-\x08\x0b-\x1f\x7f])/)
    .map((part, index) => (index % 2 === 1 ? `[char]${part.charCodeAt(0)}` : plainPowerShell(part)));
  return parts.length === 1 ? parts.join('') : `(${parts.join(' + ')})`;
}

function plainPowerShell(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** Several lines as a raw string (C# 11), which begins and ends on lines of its own. */
export function inCSharp(text: string): string {
  if (!text.includes('\n') || unsafe.test(text) || /[\x85\u2028\u2029]/.test(text))
    return `"${escaped(text, /[\\"]|[\x85\u2028\u2029]/, unicode)}"`;
  const longest = Math.max(2, ...(text.match(/"+/g) ?? []).map((run) => run.length));
  const quotes = '"'.repeat(longest + 1);
  return `${quotes}\n${text}\n${quotes}`;
}

/** ASCII alone: until Java 18 the compiler reads the encoding of the platform (JEP 400). */
export function inJava(text: string): string {
  const lines = text.split(/(?<=\n)(?!$)/);
  return lines.map((line) => `"${escaped(line, /[\\"]|[^\x00-\x7f]/, unicode)}"`).join(' +\n            ');
}

export function inPhp(text: string): string {
  if (unsafe.test(text)) return `"${escaped(text, /[\\"$]/, (code) => `\\x${hex(code, 2)}`)}"`;
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** Several lines as they are. Python reads every line end as \n, so no other stands in the source. */
export function inPython(text: string): string {
  const code = (at: number) => `\\x${hex(at, 2)}`;
  if (!text.includes('\n')) return `"${escaped(text, /[\\"]/, code)}"`;
  const lines = text.split('\n').map((line) => escaped(line, /\\/, code));
  return `"""${lines
    .join('\n')
    .replace(/"(?="")/g, '\\"')
    .replace(/"$/, '\\"')}"""`;
}

/** Several lines as they are. A template reads every line end as \n (ECMA-262, 12.9.6). */
export function inJavaScript(text: string): string {
  if (!text.includes('\n')) return `'${escaped(text, /[\\']/, unicode)}'`;
  const lines = text.split('\n').map((line) => escaped(line, /[\\`]|\$(?=\{)/, unicode));
  return `\`${lines.join('\n')}\``;
}

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Line ends, tabs and control characters escaped; of `marks`, ASCII with a backslash and the rest by its code. */
function escaped(text: string, marks: RegExp, byCode: (code: number) => string): string {
  const all = new RegExp(`[\\x00-\\x1f\\x7f]|${marks.source}`, 'g');
  return text.replace(all, (found) => {
    const code = found.charCodeAt(0);
    return named[found] ?? (code < 0x20 || code > 0x7e ? byCode(code) : `\\${found}`);
  });
}

function unicode(code: number): string {
  return `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

function octal(code: number): string {
  return code.toString(8).padStart(3, '0');
}
