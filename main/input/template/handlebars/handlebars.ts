/**
 * A Handlebars interpreter that uses Handlebars' parser. Handlebars itself compiles templates to JavaScript. In an interpreter,
 * templates cannot run code, because paths reach only plain data, and errors can contain the position of every name.
 */
import type { TemplateEvaluation } from '../evaluation.ts';
import { functions } from '../functions/table.ts';
import { checkList, type TemplateOutput } from '../output.ts';
import { withPosition, TemplateProblem, type SourcePosition } from '../problem.ts';
import { isPlainObject, isTruthy, kindOf, MissingValue, dictionary } from '../values.ts';
import {
  evaluateExpression,
  hasArguments,
  helperName,
  evaluateArgument,
  namedArguments,
} from './expressions.ts';
import { parseHandlebars, nodePosition } from './parsed.ts';
import { rootScope, blockScope, type HandlebarsScope } from './scope.ts';
import { numberOf } from '../functions/call.ts';

const maxDepth = 200;

/** @throws TemplateProblem */
export function fillHandlebars(
  template: string,
  data: unknown,
  target: { evaluation: TemplateEvaluation; output: TemplateOutput },
): void {
  const writer = new HandlebarsWriter(target.evaluation, target.output, 0);
  writer.writeProgram(parseHandlebars(template), rootScope(data));
}

/** Writes nodes of the parsed template to one output. */
class HandlebarsWriter implements BlockWriter {
  readonly evaluation: TemplateEvaluation;
  readonly output: TemplateOutput;
  readonly #depth: number;

  constructor(evaluation: TemplateEvaluation, output: TemplateOutput, depth: number) {
    if (depth > maxDepth)
      throw new TemplateProblem(`blocks and partials are nested more than ${maxDepth} deep`);
    this.evaluation = evaluation;
    this.output = output;
    this.#depth = depth;
  }

  writeProgram(program: hbs.AST.Program | undefined, scope: HandlebarsScope): void {
    if (program === undefined) return;
    const inner = { ...scope, partials: new Map(scope.partials) };
    for (const statement of program.body) this.#statement(statement, inner);
  }

  /** Returns a writer one level deeper. The limit on levels ends infinite recursion. */
  nested(): HandlebarsWriter {
    return new HandlebarsWriter(this.evaluation, this.output, this.#depth + 1);
  }

  #statement(statement: hbs.AST.Statement, scope: HandlebarsScope): void {
    switch (statement.type) {
      case 'ContentStatement':
        this.output.write((statement as hbs.AST.ContentStatement).value);
        return;
      case 'MustacheStatement':
        this.#mustache(statement as hbs.AST.MustacheStatement, scope);
        return;
      case 'BlockStatement':
        writeBlock(this, statement as hbs.AST.BlockStatement, scope);
        return;
      case 'PartialStatement':
      case 'PartialBlockStatement':
        writePartial(this, statement as hbs.AST.PartialBlockStatement, scope);
        return;
      case 'DecoratorBlock':
        definePartial(statement as hbs.AST.DecoratorBlock, scope);
        return;
      case 'CommentStatement':
        return;
      default:
        throw new TemplateProblem('decorators are not supported', nodePosition(statement));
    }
  }

  #mustache(mustache: hbs.AST.MustacheStatement, scope: HandlebarsScope): void {
    const name = helperName(mustache.path);
    if (isBlockHelper(name) && !functions.has(name) && hasArguments(mustache))
      throw new TemplateProblem(
        `${name} is a block helper; write {{#${name} ...}} ... {{/${name}}}`,
        nodePosition(mustache),
      );
    const value = evaluateExpression(mustache, scope, this.evaluation);
    const escape = this.evaluation.autoEscape && mustache.escaped;
    this.output.write(
      withPosition(nodePosition(mustache.path), () => this.evaluation.printedText(value, escape)),
    );
  }
}

// Blocks: if, unless, each, with and times; any function as a condition; a value as a section.

/** Writes the block, or its {{else}} branch. */
function writeBlock(writer: BlockWriter, block: hbs.AST.BlockStatement, scope: HandlebarsScope): void {
  const name = helperName(block.path);
  const position = nodePosition(block);
  if (name !== undefined && hasArguments(block)) {
    const write = blockHelpers[name];
    if (write !== undefined && isBlockHelper(name)) write({ writer, block, scope, position });
    else if (functions.has(name))
      writeBranch(
        { writer, block, scope, position },
        isTruthy(evaluateExpression(block, scope, writer.evaluation)),
      );
    else throw new TemplateProblem(`unknown block helper '${name}'`, position);
  } else if (isBlockHelper(name)) {
    throw new TemplateProblem(`{{#${name}}} needs a value`, position);
  } else writeSection({ writer, block, scope, position });
}

function isBlockHelper(name: string | undefined): name is string {
  return name !== undefined && Object.hasOwn(blockHelpers, name);
}

interface BlockContext {
  readonly writer: BlockWriter;
  readonly block: hbs.AST.BlockStatement;
  readonly scope: HandlebarsScope;
  readonly position: SourcePosition;
}

const blockHelpers: Readonly<Record<string, (context: BlockContext) => void>> = {
  if: (context) => {
    writeBranch(context, condition(context));
  },
  unless: (context) => {
    writeBranch(context, !condition(context));
  },
  each: (context) => {
    each(context, blockArgument(context));
  },
  with: (context) => {
    const value = blockArgument(context);
    if (isTruthy(value)) writeInner(context, value);
    else writeInverse(context);
  },
  times: (context) => {
    const count = withPosition(context.position, () => {
      const call = {
        name: 'times',
        args: [],
        named: new Map<string, unknown>(),
        formats: context.writer.evaluation.formats,
        isXml: false,
      };
      const size = Math.max(0, Math.trunc(numberOf(blockArgument(context), call)));
      checkList(size);
      return size;
    });
    each(
      context,
      Array.from({ length: count }, (_, index) => index),
    );
  },
};

/** Returns whether the argument is truthy. With `includeZero=true`, as in `{{#if n includeZero=true}}`, 0 is truthy too. */
function condition({ writer, block, scope }: BlockContext): boolean {
  const value = firstArgument(block, scope, writer);
  const includesZero = namedArguments(block.hash, scope, writer.evaluation).get('includeZero') === true;
  return isTruthy(value) || (includesZero && value === 0);
}

/** Returns the block's argument. It may be a MissingValue only if the block has an {{else}}. */
function blockArgument({ writer, block, scope }: BlockContext): unknown {
  const value = firstArgument(block, scope, writer);
  return inverseOf(block) === undefined ? writer.evaluation.required(value) : value;
}

function firstArgument(block: hbs.AST.BlockStatement, scope: HandlebarsScope, writer: BlockWriter): unknown {
  const [param] = block.params;
  return param === undefined ? undefined : evaluateArgument(param, scope, writer.evaluation);
}

/**
 * Writes a section such as `{{#items}}`. Loops over a list; treats true, false, null and a missing value as a condition; makes any
 * other value the context of the block.
 */
function writeSection(context: BlockContext): void {
  const value = evaluateExpression(context.block, context.scope, context.writer.evaluation);
  if (Array.isArray(value)) each(context, value);
  else if (value === true) writeBranch(context, true);
  else if (value === false || value === null || value instanceof MissingValue) writeInverse(context);
  else writeInner(context, value);
}

function each(context: BlockContext, value: unknown): void {
  const entries = entriesOf(context.writer.evaluation.loopedElements(value) ?? value, context.position);
  if (entries.length === 0) writeInverse(context);
  entries.forEach(([key, member], index) => {
    const values = [
      ['key', key],
      ['index', index],
      ['first', index === 0],
      ['last', index === entries.length - 1],
    ] as const;
    writeInner(context, member, { values, params: [member, key] });
  });
}

function entriesOf(
  value: unknown,
  position: SourcePosition,
): readonly (readonly [string | number, unknown])[] {
  if (value === undefined || value === null || value === false || value instanceof MissingValue) return [];
  if (Array.isArray(value)) return value.map((member: unknown, index) => [index, member] as const);
  if (isPlainObject(value)) return Object.entries(value);
  throw new TemplateProblem(`{{#each}} needs a list or an object, not ${kindOf(value)}`, position);
}

function writeInner(
  { writer, block, scope }: BlockContext,
  context: unknown,
  more: { values?: readonly (readonly [string, unknown])[]; params: readonly unknown[] } = {
    params: [context],
  },
): void {
  const names: readonly string[] = (block.program as hbs.AST.Program | undefined)?.blockParams ?? [];
  const locals = names.map((name, index) => [name, more.params[index]] as const);
  const inner = blockScope(scope, context, {
    ...(more.values === undefined ? {} : { values: more.values }),
    ...(locals.length === 0 ? {} : { locals }),
  });
  writer.nested().writeProgram(block.program, inner);
}

function writeBranch(context: BlockContext, isTrue: boolean): void {
  if (isTrue) context.writer.nested().writeProgram(context.block.program, context.scope);
  else writeInverse(context);
}

function writeInverse({ writer, block, scope }: BlockContext): void {
  writer.nested().writeProgram(inverseOf(block), scope);
}

function inverseOf(block: hbs.AST.BlockStatement): hbs.AST.Program | undefined {
  return block.inverse;
}

// Partials: `{{#*inline "row"}} ... {{/inline}}` and `{{> row item}}`. Only the template itself can define them; no file is read.

function definePartial(block: hbs.AST.DecoratorBlock, scope: HandlebarsScope): void {
  const [name] = block.params;
  const kind = (block.path as Partial<hbs.AST.PathExpression>).original;
  if (kind !== 'inline' || name?.type !== 'StringLiteral')
    throw new TemplateProblem(
      'a partial is written {{#*inline "name"}} ... {{/inline}}',
      nodePosition(block),
    );
  scope.partials.set((name as hbs.AST.StringLiteral).value, { program: block.program });
}

/** Writes `{{> name}}`, or `{{#> name}}content of @partial-block{{/name}}`. */
function writePartial(
  writer: BlockWriter,
  partial: hbs.AST.PartialBlockStatement,
  scope: HandlebarsScope,
): void {
  const name = nameOf(writer, partial, scope);
  const body = partial.program as hbs.AST.Program | undefined;
  const found = scope.partials.get(name) ?? (body === undefined ? undefined : { program: body });
  if (found === undefined) {
    throw new TemplateProblem(
      `there is no partial '${name}'; define it above with {{#*inline "${name}"}} ... {{/inline}}`,
      nodePosition(partial),
    );
  }
  const partials = new Map(scope.partials);
  if (body !== undefined) partials.set('@partial-block', { program: body, scope });
  const inner = found.scope ?? { ...blockScope(scope, contextOf(writer, partial, scope)), partials };
  writer.nested().writeProgram(found.program, inner);
}

function nameOf(
  writer: BlockWriter,
  { name }: hbs.AST.PartialBlockStatement,
  scope: HandlebarsScope,
): string {
  if (name.type === 'SubExpression') return String(evaluateArgument(name, scope, writer.evaluation));
  const { original } = name as unknown as { original: string | number };
  return name.data ? `@${String(original).replace(/^@/, '')}` : String(original);
}

/** Returns the context of a partial: its argument, or else the current context, with the `key=value` arguments added. */
function contextOf(
  writer: BlockWriter,
  partial: hbs.AST.PartialBlockStatement,
  scope: HandlebarsScope,
): unknown {
  const [param] = partial.params;
  const context =
    param === undefined
      ? scope.context
      : writer.evaluation.required(evaluateArgument(param, scope, writer.evaluation));
  const named = namedArguments(partial.hash, scope, writer.evaluation);
  if (named.size === 0) return context;
  const entries = isPlainObject(context) ? Object.entries(context) : [];
  return dictionary([
    ...entries,
    ...[...named].map(([key, value]) => [key, writer.evaluation.required(value)] as const),
  ]);
}

/** The part of the interpreter that blocks and partials use. */
interface BlockWriter {
  readonly evaluation: TemplateEvaluation;
  writeProgram(program: hbs.AST.Program | undefined, scope: HandlebarsScope): void;
  /** Returns a writer one level deeper. The number of levels is limited. */
  nested(): BlockWriter;
}
