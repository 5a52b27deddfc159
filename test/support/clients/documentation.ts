/** Reads the examples in the documentation: the fenced code blocks of README.md, docs/ and client/README.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../service/service.ts';

export interface Example {
  /** For example `docs/client.md, line 12`. */
  readonly place: string;
  /** The first word of the info string, such as `sh`; empty without one. */
  readonly language: string;
  /** The rest of the info string: `run`, `not run: <reason>`, or empty. */
  readonly mark: string;
  readonly body: string;
}

export function examples(): Example[] {
  return documentationPages().flatMap((page) => examplesIn(readFileSync(join(project, page), 'utf8'), page));
}

/** Returns the code blocks of one page, without the indentation that they have in lists. */
export function examplesIn(text: string, page: string): Example[] {
  return [...text.matchAll(/^([ \t]*)(`{3,}|~{3,})([^\n`]*)\n([\s\S]*?)^[ \t]*\2[`~]*[ \t]*$/gm)].map(
    (match) => {
      const [, indent = '', , info = '', body = ''] = match;
      const [, language = '', mark = ''] = /^\s*(\S*)\s*(.*?)\s*$/.exec(info) ?? [];
      const line = text.slice(0, match.index).split('\n').length;
      return {
        place: `${page}, line ${line}`,
        language,
        mark,
        body: body.replace(new RegExp(`^${indent}`, 'gm'), ''),
      };
    },
  );
}

export function documentationPages(): string[] {
  const docs = readdirSync(join(project, 'docs'), { recursive: true }).map((name) =>
    join('docs', String(name)),
  );
  return ['README.md', join('client', 'README.md'), ...docs.filter((name) => name.endsWith('.md')).sort()];
}
