/** Finds the data paths in a Jinja expression. */
import type { JinjaToken } from './jinja-tokens.ts';
import type { Path } from './uses.ts';

export interface PathReference {
  readonly path: Path;
  readonly from: number;
  readonly to: number;
  readonly needed: boolean;
  readonly usesChildren: boolean;
  /** Whether the path is part of the condition in `a if condition else b`. */
  readonly isGuard: boolean;
}

export interface Expression {
  readonly references: readonly PathReference[];
  /** Set if the expression consists of a single path. */
  readonly onlyReference: PathReference | undefined;
  /**
   * The list whose members the expression returns: a single path, which may be sorted or filtered. Undefined for any other
   * expression.
   */
  readonly listReference: PathReference | undefined;
}

export function readExpression(tokens: readonly JinjaToken[], isCondition = false): Expression {
  const condition = conditionOf(tokens);
  const references: PathReference[] = [];
  let end = 0;
  tokens.forEach((token, index) => {
    if (index < end || token.kind !== 'name' || !isData(tokens, index)) return;
    const found = pathAt(tokens, index);
    ({ end } = found);
    if (found.path.length === 0) return;
    const isGuard = index > condition.from && index < condition.to;
    const isTested =
      (isCondition && isBare(tokens, index, end)) || isGuard || isTolerated(tokens, index, end);
    const { path, to } = found;
    references.push({ path, from: token.from, to, needed: !isTested, usesChildren: !isCondition, isGuard });
  });
  const [first] = references;
  const rest = first === undefined ? '' : textAroundPath(tokens, first);
  const onlyReference = rest === '' ? first : undefined;
  return { references, onlyReference, listReference: listFilters.test(rest) ? first : undefined };
}

/** Filters that return members of a list, and the methods `items` and `values` of an object. */
const listFilters =
  /^(\|(sort|reverse|where|unique|slice|select|reject|selectattr|rejectattr|list)(\([^()]*\))?|\.(items|values)\(\))*$/;

/** Returns the text before the path or, if there is none, the text after it. */
function textAroundPath(tokens: readonly JinjaToken[], { from, to }: PathReference): string {
  const before = tokens.filter((token) => token.from < from);
  if (before.length > 0) return before.map(({ text }) => text).join('');
  return tokens
    .filter((token) => token.from >= to)
    .map(({ text }) => text)
    .join('');
}

const keywords = new Set([
  'true',
  'false',
  'none',
  'True',
  'False',
  'None',
  'and',
  'or',
  'not',
  'in',
  'is',
  'if',
  'else',
]);

/** Returns whether a name refers to data: it is not a keyword, filter, test, argument name or function. */
function isData(tokens: readonly JinjaToken[], index: number): boolean {
  const text = tokens[index]?.text ?? '';
  const before = tokens[index - 1]?.text;
  const after = tokens[index + 1]?.text;
  if (keywords.has(text) || before === '|' || before === '.' || before === 'is') return false;
  if (before === 'not' && tokens[index - 2]?.text === 'is') return false;
  return after !== '(' && !(after === '=' && before !== undefined);
}

function pathAt(
  tokens: readonly JinjaToken[],
  start: number,
): { readonly path: Path; readonly to: number; readonly end: number } {
  const path = [tokens[start]?.text ?? ''];
  let end = start + 1;
  let to = endOf(tokens[start]);
  for (;;) {
    const [sign, key, close] = tokens.slice(end, end + 3);
    const isName = sign?.text === '.' && (key?.kind === 'name' || key?.kind === 'literal');
    const isIndex = sign?.text === '[' && key?.kind === 'literal' && close?.text === ']';
    // Stops before a method call, such as `customer.items()`.
    if ((!isName && !isIndex) || (isName && close?.text === '(')) return { path, to, end };
    path.push(key.text.replace(/^["']|["']$/g, ''));
    to = endOf(isIndex ? close : key);
    end += isIndex ? 3 : 2;
  }
}

function endOf(token: JinjaToken | undefined): number {
  return token === undefined ? 0 : token.from + token.text.length;
}

/** Returns the token range of the condition in `a if condition else b`; an empty range if there is none. */
function conditionOf(tokens: readonly JinjaToken[]): { readonly from: number; readonly to: number } {
  const from = tokens.findIndex(({ text }) => text === 'if');
  if (from < 0) return { from: tokens.length, to: 0 };
  const to = tokens.findIndex(({ text }, index) => index > from && text === 'else');
  return { from, to: to < 0 ? tokens.length : to };
}

/** Returns whether only the truth value of the path is used, without a comparison, arithmetic or a filter. */
function isBare(tokens: readonly JinjaToken[], index: number, end: number): boolean {
  const before = tokens[index - 1]?.text;
  const after = tokens[end]?.text;
  const isEdge = (text: string | undefined) =>
    text === undefined || ['and', 'or', 'not', '(', ')', 'if', 'else', 'is'].includes(text);
  return isEdge(before) && isEdge(after);
}

/** Returns whether a missing value is accepted here: by `default`, `is defined`, `and`, `or` or `not`. */
function isTolerated(tokens: readonly JinjaToken[], index: number, end: number): boolean {
  const before = tokens[index - 1]?.text;
  const after = tokens[end]?.text;
  const next = tokens[end + 1]?.text;
  if (after === '|') return next === 'default' || next === 'd';
  if (after === 'is') return [next, tokens[end + 2]?.text].some((text) => /^(un)?defined$/.test(text ?? ''));
  return ['and', 'or', 'not'].some((word) => word === before || word === after);
}
