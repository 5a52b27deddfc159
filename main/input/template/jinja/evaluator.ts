/** The interfaces between the parts of the Jinja interpreter: statements evaluate expressions, and macros write statements. */
import type { Evaluation } from '../evaluation.ts';
import type { Named } from '../functions/call.ts';
import type { Markup } from '../values.ts';
import type { Node } from './nodes.ts';
import type { Scope } from './scope.ts';

export interface TemplateWriter {
  readonly evaluation: Evaluation;
  readonly expressions: ExpressionEvaluator;
  nodes(nodes: readonly Node[], scope: Scope): void;
  /** Returns what the body writes. */
  captured(body: Node, scope: Scope): Markup;
}

export interface ExpressionEvaluator {
  readonly writer: TemplateWriter;
  /** Returns the value; Missing if the data has no such value. */
  value(node: Node | null | undefined, scope: Scope): unknown;
  needed(node: Node | null | undefined, scope: Scope): unknown;
  /** Returns the positional and the named arguments of a call. */
  args(node: Node, scope: Scope): { args: unknown[]; named: Named };
}
