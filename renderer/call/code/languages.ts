/** The languages of the Code tab. The patterns of their comments and strings are used for highlighting. */
import type { CodeRequest } from './code-request.ts';
import { csharp } from './csharp.ts';
import { curl } from './curl.ts';
import { java } from './java.ts';
import { node } from './node.ts';
import { php } from './php.ts';
import { powershell } from './powershell.ts';
import { python } from './python.ts';

export type CodeLanguage = 'curl' | 'powershell' | 'csharp' | 'java' | 'php' | 'python' | 'node';

interface LanguageRow {
  /** The name of the language, which is not translated. */
  readonly label: string;
  readonly write: (call: CodeRequest) => string;
  /** Matches a string literal. */
  readonly text: RegExp;
  readonly comment: RegExp;
}

/* eslint-disable platen/linear-pattern, regexp/no-super-linear-move -- They match only code that the console has generated. */
const doubleQuoted = /"(?:[^"\\]|\\.)*"/s;
const hashComment = /^ *#[^\n]*/;
const slashComment = /^ *\/\/[^\n]*/;

/** In display order. */
export const codeLanguages: Readonly<Record<CodeLanguage, LanguageRow>> = {
  curl: {
    label: 'curl',
    write: curl,
    comment: hashComment,
    text: /\$'(?:[^'\\]|\\.)*'|'[^']*'(?:\\''[^']*')*/,
  },
  powershell: { label: 'PowerShell', write: powershell, text: /'[^']*'/, comment: hashComment },
  csharp: {
    label: 'C#',
    write: csharp,
    comment: slashComment,
    text: /(?<quotes>"{3,})\n.*?\n\k<quotes>(?!")|"(?:[^"\\]|\\.)*"/s,
  },
  java: { label: 'Java', write: java, text: doubleQuoted, comment: slashComment },
  php: { label: 'PHP', write: php, text: /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/s, comment: slashComment },
  python: {
    label: 'Python',
    write: python,
    comment: hashComment,
    text: /"""(?:[^"\\]|\\.|"(?!""))*"""|f?"(?:[^"\\]|\\.)*"|f'(?:[^'\\]|\\.)*'/s,
  },
  node: {
    label: 'Node.js',
    write: node,
    comment: slashComment,
    text: /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/s,
  },
};

/* eslint-enable platen/linear-pattern, regexp/no-super-linear-move */

export const codeLanguageNames = Object.keys(codeLanguages) as CodeLanguage[];

interface CodeSpan {
  readonly kind: 'plain' | 'text' | 'comment';
  readonly code: string;
}

/** Splits the program into strings, comments and the code between them, for highlighting. */
export function spansOf(code: string, language: CodeLanguage): CodeSpan[] {
  const { text, comment } = codeLanguages[language];
  // eslint-disable-next-line platen/linear-pattern -- Code that the console has generated.
  const tokenPattern = new RegExp(`(?<text>${text.source})|(?<comment>${comment.source})`, 'gms');
  const spans: CodeSpan[] = [];
  let end = 0;
  for (const { index, 0: found, groups } of code.matchAll(tokenPattern)) {
    if (index > end) spans.push({ kind: 'plain', code: code.slice(end, index) });
    spans.push({ kind: groups?.comment === undefined ? 'text' : 'comment', code: found });
    end = index + found.length;
  }
  return [...spans, { kind: 'plain', code: code.slice(end) }];
}
