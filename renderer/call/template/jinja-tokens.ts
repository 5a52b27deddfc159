/** Splits a Jinja template into tags and their tokens. Never throws, because the user may still be typing the template. */

export type Markers = 'standard' | 'square' | 'angle';

export interface JinjaTag {
  readonly kind: 'print' | 'statement';
  readonly tokens: readonly JinjaToken[];
}

export interface JinjaToken {
  readonly kind: 'name' | 'literal' | 'sign';
  readonly text: string;
  readonly from: number;
}

/** Returns the tags in document order, without comments and raw blocks. */
export function jinjaTags(template: string, markers: Markers): JinjaTag[] {
  return [...template.matchAll(tag[markers])].flatMap(({ 0: match, index, groups }) => {
    const body = groups?.statement ?? groups?.print;
    if (body === undefined) return [];
    const start = index + match.indexOf(body, 2);
    return [{ kind: groups?.print === undefined ? 'statement' : 'print', tokens: tokensOf(body, start) }];
  });
}

const skipped = String.raw`\{#[\s\S]*?#\}|\{%-?\s*raw\s*-?%\}[\s\S]*?\{%-?\s*endraw\s*-?%\}`;
const inside = String.raw`(?:"[^"]*"|'[^']*'|[\s\S])*?`;

function tagBetween(start: string, end: string): RegExp {
  const statement = String.raw`\{%[-+]?(?<statement>${inside})[-+]?%\}`;
  // eslint-disable-next-line platen/linear-pattern -- The template that the reader edits, in their own browser.
  return new RegExp(`${skipped}|${statement}|${start}-?(?<print>${inside})-?${end}`, 'g');
}

const tag: Readonly<Record<Markers, RegExp>> = {
  standard: tagBetween(String.raw`\{\{`, String.raw`\}\}`),
  square: tagBetween(String.raw`\[\[`, String.raw`\]\]`),
  angle: tagBetween('<<', '>>'),
};

function tokensOf(text: string, start: number): JinjaToken[] {
  return [...text.matchAll(token)].map(({ 0: found, index }) => ({
    kind: /^["'\d]/.test(found) ? 'literal' : /^[\p{L}_]/u.test(found) ? 'name' : 'sign',
    text: found,
    from: start + index,
  }));
}

const token =
  // eslint-disable-next-line platen/linear-pattern -- The template that the reader edits, in their own browser.
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\d+(?:\.\d+)?|[\p{L}_][\p{L}\p{N}_]*|[=!<>]=|\/\/|\*\*|\S/gu;
