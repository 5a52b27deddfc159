/**
 * Jinja without generated code: nunjucks' parser, and this evaluation of its tree. nunjucks itself compiles templates to
 * JavaScript and says that it is no sandbox; here there is nothing to break out of, and every name has a place.
 */
import type { Evaluation } from '../evaluation.ts';
import { longestText, Output } from '../output.ts';
import { placed, TemplateProblem } from '../problem.ts';
import { Markup } from '../values.ts';
import { Expressions } from './expressions.ts';
import { writeFor, writeIf, writeSwitch } from './flow.ts';
import { Macro } from './macros.ts';
import { parsed, placeOfNode, type Node, type Syntax } from './nodes.ts';
import { Scope } from './scope.ts';
import { writeSet } from './set.ts';

const deepest = 200;

export interface Filling {
  readonly evaluation: Evaluation;
  readonly output: Output;
  readonly syntax: Syntax;
}

/** @throws TemplateProblem */
export function fillJinja(template: string, data: unknown, filling: Filling): void {
  const writer = new Writer(filling.evaluation, filling.output);
  writer.nodes(parsed(template, filling.syntax).children, new Scope({ data }));
}

/** Writes parts of the tree to one output. */
export class Writer {
  readonly evaluation: Evaluation;
  readonly output: Output;
  readonly expressions: Expressions;

  constructor(evaluation: Evaluation, output: Output) {
    this.evaluation = evaluation;
    this.output = output;
    this.expressions = new Expressions(this);
  }

  nodes(nodes: readonly Node[], scope: Scope): void {
    if (scope.depth > deepest)
      throw new TemplateProblem(`blocks and macros are nested more than ${deepest} deep`);
    for (const node of nodes) this.#node(node, scope);
  }

  captured(body: Node, scope: Scope): Markup {
    const output = new Output(longestText);
    new Writer(this.evaluation, output).nodes(body.children, scope);
    return new Markup(output.text());
  }

  #node(node: Node, scope: Scope): void {
    const write = Object.hasOwn(statements, node.typename) ? statements[node.typename] : undefined;
    if (write === undefined) {
      throw new TemplateProblem(
        `{% ${node.typename.toLowerCase()} %} is not supported: a template is one file`,
        placeOfNode(node),
      );
    }
    write(this, node, scope);
  }

  print(node: Node, scope: Scope): void {
    const { evaluation, expressions, output } = this;
    output.write(
      placed(placeOfNode(node), () =>
        evaluation.printed(expressions.value(node, scope), evaluation.autoEscape),
      ),
    );
  }
}

const statements: Readonly<Record<string, (writer: Writer, node: Node, scope: Scope) => void>> = {
  Output: (writer, node, scope) => {
    for (const child of node.children) {
      if (child.typename === 'TemplateData') writer.output.write(String(child.value));
      else writer.print(child, scope);
    }
  },
  If: writeIf,
  For: writeFor,
  Switch: writeSwitch,
  Set: writeSet,
  Block: (writer, node, scope) => {
    writer.nodes(node.body.children, new Scope({ parent: scope }));
  },
  Macro: (_writer, node, scope) => {
    scope.declare(String(node.name.value), new Macro(node, scope));
  },
};
