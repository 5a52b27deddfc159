/** Writes a string as a literal of each language, so that the program contains exactly this string. Pure functions. */

/** Control characters that an editor, a terminal or copying may change: all except line feed and tab. */
const unsafeCharacter = /[\x01-\x08\x0b-\x1f\x7f]/;

/** Quotes for a POSIX shell. Texts with control characters use $'...', which bash, zsh and POSIX 2024 support. */
export function inShell(text: string): string {
  if (unsafeCharacter.test(text)) return `$'${escaped(text, /[\\']/, (code) => `\\${octal(code)}`)}'`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Quotes for PowerShell, which treats typographic apostrophes as quotation marks (about_Quoting_Rules). */
export function inPowerShell(text: string): string {
  const parts = text
    .split(/([\x01-\x08\x0b-\x1f\x7f])/)
    .map((part, index) => (index % 2 === 1 ? `[char]${part.charCodeAt(0)}` : plainPowerShell(part)));
  return parts.length === 1 ? parts.join('') : `(${parts.join(' + ')})`;
}

function plainPowerShell(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** Quotes for C#. A multi-line text becomes a raw string (C# 11), whose quotation marks are on separate lines. */
export function inCSharp(text: string): string {
  if (!text.includes('\n') || unsafeCharacter.test(text) || /[\x85\u2028\u2029]/.test(text))
    return `"${escaped(text, /[\\"]|[\x85\u2028\u2029]/, unicode)}"`;
  const longest = Math.max(2, ...(text.match(/"+/g) ?? []).map((run) => run.length));
  const quotes = '"'.repeat(longest + 1);
  return `${quotes}\n${text}\n${quotes}`;
}

/** Quotes for Java, in ASCII only: before version 18, the Java compiler uses the platform encoding (JEP 400). */
export function inJava(text: string): string {
  const lines = text.split(/(?<=\n)(?!$)/);
  return lines.map((line) => `"${escaped(line, /[\\"]|[^\x00-\x7f]/, unicode)}"`).join(' +\n            ');
}

export function inPhp(text: string): string {
  if (unsafeCharacter.test(text)) return `"${escaped(text, /[\\"$]/, (code) => `\\x${hex(code, 2)}`)}"`;
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/**
 * Quotes for Python. Multi-line strings keep their line feeds. Carriage returns are escaped, because Python reads every line end as
 * \n.
 */
export function inPython(text: string): string {
  const code = (value: number) => `\\x${hex(value, 2)}`;
  if (!text.includes('\n')) return `"${escaped(text, /[\\"]/, code)}"`;
  const lines = text.split('\n').map((line) => escaped(line, /\\/, code));
  return `"""${lines
    .join('\n')
    .replace(/"(?="")/g, '\\"')
    .replace(/"$/, '\\"')}"""`;
}

/**
 * Quotes for JavaScript. Multi-line strings keep their line feeds. Carriage returns are escaped, because a template literal reads
 * every line end as \n (ECMA-262, 12.9.6).
 */
export function inJavaScript(text: string): string {
  if (!text.includes('\n')) return `'${escaped(text, /[\\']/, unicode)}'`;
  const lines = text.split('\n').map((line) => escaped(line, /[\\`]|\$(?=\{)/, unicode));
  return `\`${lines.join('\n')}\``;
}

const namedEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Escapes control characters and the characters that `marks` matches. Printable ASCII characters get a backslash; other characters
 * are replaced with their code.
 */
function escaped(text: string, marks: RegExp, byCode: (code: number) => string): string {
  // eslint-disable-next-line platen/linear-pattern -- A set of characters or a few marks of a language.
  const all = new RegExp(`[\\x00-\\x1f\\x7f]|${marks.source}`, 'g');
  return text.replace(all, (found) => {
    const code = found.charCodeAt(0);
    return namedEscapes[found] ?? (code < 0x20 || code > 0x7e ? byCode(code) : `\\${found}`);
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
