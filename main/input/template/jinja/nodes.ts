/** Calls nunjucks' parser and adds positions to its errors. Declares types for the part of its tree that the interpreter uses. */
import parser from 'nunjucks/src/parser.js';
import { TemplateProblem, type SourcePosition } from '../problem.ts';
import type { VariableMarkers } from '../fill-template.ts';

/** A node of nunjucks' tree; `typename` determines which fields exist. */
export interface JinjaNode {
  readonly typename: string;
  /** Line, counted from 0. */
  readonly lineno?: number;
  /** Column, counted from 0. */
  readonly colno?: number;
  readonly children: readonly JinjaNode[];
  readonly value: unknown;
  readonly name: JinjaNode;
  readonly args: JinjaNode;
  readonly target: JinjaNode;
  readonly targets: readonly JinjaNode[];
  readonly val: JinjaNode;
  readonly key: JinjaNode;
  readonly left: JinjaNode;
  readonly right: JinjaNode;
  readonly cond: JinjaNode;
  readonly body: JinjaNode;
  readonly else_: JinjaNode | null;
  readonly arr: JinjaNode;
  readonly expr: JinjaNode;
  readonly ops: readonly (JinjaNode & { readonly type: string })[];
  readonly cases: readonly JinjaNode[];
  readonly default: JinjaNode | null;
}

/** The syntax options of a template. */
export interface Syntax {
  readonly trimBlocks: boolean;
  readonly markers: VariableMarkers;
}

const markers = {
  standard: { variableStart: '{{', variableEnd: '}}' },
  square: { variableStart: '[[', variableEnd: ']]' },
  angle: { variableStart: '<<', variableEnd: '>>' },
} as const;

/** @throws TemplateProblem */
export function parseJinja(template: string, { trimBlocks, markers: markerSet }: Syntax): JinjaNode {
  try {
    const options = { trimBlocks, lstripBlocks: trimBlocks, tags: markers[markerSet] };
    return parser.parse(template, [], options) as JinjaNode;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RangeError) throw error;
    const { lineno, colno } = error as { lineno?: number; colno?: number };
    const clause =
      error.message
        .split('\n')
        .at(-1)
        ?.trim()
        .replace(/^(parse\w+: )/, '') ?? '';
    // nunjucks counts from 1 in its errors, and gives no position for the end of the template.
    const position = lineno === undefined ? endPosition(template) : { line: lineno, column: colno ?? 1 };
    throw new TemplateProblem(withRemedy(clause, template, position), position);
  }
}

/** Returns the clause, or what to write instead if nunjucks names only the token that it expects. */
function withRemedy(clause: string, template: string, { line }: SourcePosition): string {
  const text = template.split('\n', line)[line - 1] ?? '';
  if (
    /^(?:expected comma after expression|unexpected token: [:\]])/.test(clause) &&
    /\[[^\]"']{0,60}:/.test(text)
  )
    return 'slices such as [0:5] are not supported; use first, last or batch, or test loop.index in a loop';
  return clause === 'expected comma after expression' ? 'a comma or a closing bracket is missing' : clause;
}

export function nodePosition({ lineno, colno }: JinjaNode): SourcePosition {
  return { line: (lineno ?? 0) + 1, column: (colno ?? 0) + 1 };
}

/** Returns a path as text, such as `customer.address.0`. Returns `(...)` for other expressions. */
export function pathText(node: JinjaNode): string {
  if (node.typename === 'Symbol') return String(node.value);
  if (node.typename !== 'LookupVal') return '(...)';
  const key = node.val.typename === 'Literal' ? `.${String(node.val.value)}` : `[${pathText(node.val)}]`;
  return pathText(node.target) + key;
}

/** Returns the position of the start of a path; in nunjucks' tree, a path has the position of its last dot. */
export function startPosition(node: JinjaNode): SourcePosition {
  return node.typename === 'LookupVal' ? startPosition(node.target) : nodePosition(node);
}

function endPosition(template: string): SourcePosition {
  const lines = template.trimEnd().split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
