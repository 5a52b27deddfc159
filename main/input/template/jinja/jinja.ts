/**
 * A Jinja interpreter that uses nunjucks' parser. nunjucks itself compiles templates to JavaScript and is not a sandbox. In an
 * interpreter, templates cannot run code, and errors can contain the position of every name.
 */
import type { TemplateEvaluation } from '../evaluation.ts';
import { checkList, type TemplateOutput } from '../output.ts';
import { withPosition, TemplateProblem } from '../problem.ts';
import { SafeMarkup, isPlainObject, kindOf } from '../values.ts';
import type { NodeWriter } from './evaluator.ts';
import { Expressions } from './expressions.ts';
import { Macro } from './macros.ts';
import { parseJinja, nodePosition, type JinjaNode, type Syntax } from './nodes.ts';
import { JinjaScope, Namespace } from './scope.ts';
import { isEqual } from '../functions/logic.ts';
import { Loop } from './loop.ts';
import { isPythonTruthy } from './operators.ts';

const maxDepth = 200;

interface JinjaOptions {
  readonly evaluation: TemplateEvaluation;
  readonly output: TemplateOutput;
  readonly syntax: Syntax;
}

/** @throws TemplateProblem */
export function fillJinja(template: string, data: unknown, options: JinjaOptions): void {
  const writer = new JinjaWriter(options.evaluation, options.output);
  writer.writeNodes(parseJinja(template, options.syntax).children, new JinjaScope({ data }));
}

/** Writes nodes of the parsed template to one output. */
class JinjaWriter implements NodeWriter {
  readonly evaluation: TemplateEvaluation;
  readonly output: TemplateOutput;
  readonly expressions: Expressions;

  constructor(evaluation: TemplateEvaluation, output: TemplateOutput) {
    this.evaluation = evaluation;
    this.output = output;
    this.expressions = new Expressions(this);
  }

  writeNodes(nodes: readonly JinjaNode[], scope: JinjaScope): void {
    if (scope.depth > maxDepth)
      throw new TemplateProblem(`blocks and macros are nested more than ${maxDepth} deep`);
    for (const node of nodes) this.#node(node, scope);
  }

  capture(body: JinjaNode, scope: JinjaScope): SafeMarkup {
    const output = this.output.capture();
    new JinjaWriter(this.evaluation, output).writeNodes(body.children, scope);
    return new SafeMarkup(output.text());
  }

  #node(node: JinjaNode, scope: JinjaScope): void {
    const write = Object.hasOwn(statements, node.typename) ? statements[node.typename] : undefined;
    if (write === undefined) {
      throw new TemplateProblem(
        `{% ${node.typename.toLowerCase()} %} is not supported: a template is one file`,
        nodePosition(node),
      );
    }
    write(this, node, scope);
  }

  print(node: JinjaNode, scope: JinjaScope): void {
    const { evaluation, expressions, output } = this;
    output.write(
      withPosition(nodePosition(node), () =>
        evaluation.printedText(expressions.value(node, scope), evaluation.autoEscape),
      ),
    );
  }
}

const statements: Readonly<
  Record<string, (writer: JinjaWriter, node: JinjaNode, scope: JinjaScope) => void>
> = {
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
    writer.writeNodes(node.body.children, new JinjaScope({ parent: scope }));
  },
  Macro: (_writer, node, scope) => {
    scope.declare(String(node.name.value), new Macro(node, scope));
  },
};

function writeIf(writer: NodeWriter, node: JinjaNode, scope: JinjaScope): void {
  const branch = isPythonTruthy(writer.expressions.value(node.cond, scope)) ? node.body : node.else_;
  // For an {% elif %}, the branch is an If node instead of a list.
  if (branch !== null) writer.writeNodes(branch.typename === 'If' ? [branch] : branch.children, scope);
}

function writeFor(writer: NodeWriter, node: JinjaNode, scope: JinjaScope): void {
  const { list, condition } = loopSource(node.arr);
  const value = writer.evaluation.required(writer.expressions.value(list, scope));
  const names = namesOf(node);
  const scopeOf = (member: unknown) => {
    const inner = new JinjaScope({ parent: scope });
    unpack(names, member, { node, scope: inner });
    return inner;
  };
  const isChosen = (member: unknown) =>
    condition === undefined || isPythonTruthy(writer.expressions.value(condition, scopeOf(member)));
  const members = membersOf(writer.evaluation, value, node).filter(isChosen);
  if (members.length === 0 && node.else_ !== null) writer.writeNodes(node.else_.children, scope);
  members.forEach((member, index) => {
    const inner = scopeOf(member);
    inner.declare('loop', new Loop(index, members.length));
    writer.writeNodes(node.body.children, inner);
  });
}

/** Splits `rows if condition` of `{% for row in rows if condition %}`, which nunjucks reads as a conditional expression. */
function loopSource(node: JinjaNode): { readonly list: JinjaNode; readonly condition?: JinjaNode } {
  const isFilter = node.typename === 'InlineIf' && node.else_ === null;
  return isFilter ? { list: node.body, condition: node.cond } : { list: node };
}

function writeSwitch(writer: NodeWriter, node: JinjaNode, scope: JinjaScope): void {
  const value = writer.evaluation.required(writer.expressions.value(node.expr, scope));
  const index = node.cases.findIndex(({ cond }) => isEqual(value, writer.expressions.value(cond, scope)));
  // A case without a body falls through to the next case.
  const body =
    index < 0 ? undefined : node.cases.slice(index).find((each) => each.body.children.length > 0)?.body;
  writer.writeNodes((body ?? node.default)?.children ?? [], scope);
}

/** Returns the values to loop over. For an object: its keys, as in Python, or with two loop variables its pairs, as in nunjucks. */
function membersOf(evaluation: TemplateEvaluation, value: unknown, node: JinjaNode): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  const elements = namesOf(node).length > 1 ? undefined : evaluation.loopedElements(value);
  if (elements !== undefined) return elements;
  if (isPlainObject(value)) return namesOf(node).length > 1 ? Object.entries(value) : Object.keys(value);
  if (typeof value === 'string') {
    withPosition(nodePosition(node.arr), () => {
      checkList(value.length);
    });
    return Array.from(value);
  }
  throw new TemplateProblem(
    `{% for %} needs a list or an object, not ${kindOf(value)}`,
    nodePosition(node.arr),
  );
}

function namesOf({ name }: JinjaNode): string[] {
  return (name.typename === 'Symbol' ? [name] : name.children).map((each) => String(each.value));
}

function unpack(
  names: readonly string[],
  member: unknown,
  { node, scope }: { node: JinjaNode; scope: JinjaScope },
): void {
  const [only] = names;
  if (names.length === 1 && only !== undefined) {
    scope.declare(only, member);
    return;
  }
  if (!Array.isArray(member) || member.length < names.length)
    throw new TemplateProblem(
      `${kindOf(member)} cannot be unpacked into ${names.join(', ')}`,
      nodePosition(node),
    );
  names.forEach((name, index) => {
    scope.declare(name, member[index]);
  });
}

/** Performs `{% set a = 1 %}`, `{% set a %}...{% endset %}` or `{% set ns.a = 1 %}`. */
function writeSet(writer: NodeWriter, node: JinjaNode, scope: JinjaScope): void {
  const value =
    node.value === null
      ? writer.capture(node.body.body, new JinjaScope({ parent: scope }))
      : writer.expressions.value(node.value as JinjaNode, scope);
  for (const target of node.targets) assign(writer, { target, value }, scope);
}

function assign(
  writer: NodeWriter,
  { target, value }: { target: JinjaNode; value: unknown },
  scope: JinjaScope,
): void {
  if (target.typename === 'Symbol') {
    scope.assign(String(target.value), value);
    return;
  }
  const owner = target.typename === 'LookupVal' ? writer.expressions.value(target.target, scope) : undefined;
  if (!(owner instanceof Namespace))
    throw new TemplateProblem('set needs a name, or a name of a namespace()', nodePosition(target));
  owner.values.set(String(target.val.value), value);
}
