/** Splits a Handlebars template into tags and their tokens. Never throws, because the user may still be typing the template. */

export interface HandlebarsToken {
  readonly kind: 'word' | 'key' | 'literal' | 'open' | 'close' | 'bars';
  readonly text: string;
  readonly from: number;
}

export interface HandlebarsTag {
  /** The characters that start the tag: `#`, `#*`, `#>`, `^`, `/`, `>`, `&`, `*` or none. */
  readonly sign: string;
  readonly tokens: readonly HandlebarsToken[];
}

/** Returns the tags in document order, without comments, escaped tags and raw blocks. */
export function tagsOf(template: string): HandlebarsTag[] {
  return [...template.matchAll(tag)].flatMap((found) => {
    const body = found.groups?.triple ?? found.groups?.body;
    if (body === undefined) return [];
    const sign = /^\s*(#>|#\*?|[\^/>&*])/.exec(body)?.[0] ?? '';
    const start = found.index + found[0].indexOf(body, 2) + sign.length;
    return [{ sign: sign.trim(), tokens: tokensOf(body.slice(sign.length), start) }];
  });
}

const tag =
  // eslint-disable-next-line platen/linear-pattern, regexp/no-super-linear-move, regexp/no-super-linear-backtracking -- The template that the reader edits, in their own browser.
  /\\\{\{[\s\S]*?\}\}|\{\{\{\{[\s\S]*?\}\}\}\}[\s\S]*?\{\{\{\{\/[\s\S]*?\}\}\}\}|\{\{~?!--[\s\S]*?--~?\}\}|\{\{~?![\s\S]*?\}\}|\{\{~?\{(?<triple>[\s\S]*?)\}~?\}\}|\{\{~?(?<body>(?:"[^"]*"|'[^']*'|[^{}"'])*)~?\}\}/g;

function tokensOf(text: string, start: number): HandlebarsToken[] {
  return [...text.matchAll(token)].map((found) => ({
    kind: kindOf(found[0]),
    text: found[0],
    from: start + found.index,
  }));
}

// eslint-disable-next-line platen/linear-pattern -- The template that the reader edits, in their own browser.
const token = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[()|]|(?:\[[^[\]]*\]|[^\s"'()|=~{}[\]])+\s*=?|=/g;

function kindOf(text: string): HandlebarsToken['kind'] {
  if (text === '(') return 'open';
  if (text === ')') return 'close';
  if (text === '|') return 'bars';
  if (text.endsWith('=')) return 'key';
  return /^["']|^-?\d+(\.\d+)?\s*$|^(true|false|null|undefined)\s*$/.test(text) ? 'literal' : 'word';
}
