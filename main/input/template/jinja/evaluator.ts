/** The interfaces between the parts of the Jinja interpreter: statements evaluate expressions, and macros write statements. */
import type { TemplateEvaluation } from '../evaluation.ts';
import type { NamedArguments } from '../functions/call.ts';
import type { SafeMarkup } from '../values.ts';
import type { JinjaNode } from './nodes.ts';
import type { JinjaScope } from './scope.ts';

export interface NodeWriter {
  readonly evaluation: TemplateEvaluation;
  readonly expressions: ExpressionEvaluator;
  writeNodes(nodes: readonly JinjaNode[], scope: JinjaScope): void;
  /** Returns the output of the body as markup. */
  capture(body: JinjaNode, scope: JinjaScope): SafeMarkup;
}

export interface ExpressionEvaluator {
  readonly writer: NodeWriter;
  /** Returns the value of the expression; a MissingValue if the data does not contain the value. */
  value(node: JinjaNode | null | undefined, scope: JinjaScope): unknown;
  /** Like `value`, but for a missing value throws a TemplateProblem, or returns undefined if data_ignore_undefined is set. */
  required(node: JinjaNode | null | undefined, scope: JinjaScope): unknown;
  /** Returns the positional and the named arguments of a call. */
  args(node: JinjaNode, scope: JinjaScope): { args: unknown[]; named: NamedArguments };
}
