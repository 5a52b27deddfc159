/**
 * A Handlebars interpreter that uses Handlebars' parser. Without generated code there is nothing to break out of: paths
 * reach only plain data. It can also report the place of every name.
 */
import type { Evaluation } from '../evaluation.ts';
import { functions } from '../functions/table.ts';
import { maxTextLength, Output, checkList } from '../output.ts';
import { placed, TemplateProblem, type Place } from '../problem.ts';
import { Markup, isPlainObject, isTrue, kindOf, Missing, dictionary } from '../values.ts';
import { expressionOf, hasArguments, wordOf, argumentOf, namedOf } from './expressions.ts';
import { parsed, placeOfNode } from './parsed.ts';
import { rootScope, within, type Scope } from './scope.ts';
import { numberOf } from '../functions/call.ts';

const maxDepth = 200;

/** @throws TemplateProblem */
export function fillHandlebars(
  template: string,
  data: unknown,
  target: { evaluation: Evaluation; output: Output },
): void {
  const writer = new Writer(target.evaluation, target.output, 0);
  writer.program(parsed(template), rootScope(data));
}

/** Writes parts of the tree to one output. */
export class Writer implements TemplateWriter {
  readonly evaluation: Evaluation;
  readonly output: Output;
  readonly #depth: number;

  constructor(evaluation: Evaluation, output: Output, depth: number) {
    if (depth > maxDepth)
      throw new TemplateProblem(`blocks and partials are nested more than ${maxDepth} deep`);
    this.evaluation = evaluation;
    this.output = output;
    this.#depth = depth;
  }

  program(program: hbs.AST.Program | undefined, scope: Scope): void {
    if (program === undefined) return;
    const inner = { ...scope, partials: new Map(scope.partials) };
    for (const statement of program.body) this.#statement(statement, inner);
  }

  /** Returns a writer one level deeper. The limit of levels ends infinite recursion. */
  deeper(output = this.output): Writer {
    return new Writer(this.evaluation, output, this.#depth + 1);
  }

  captured(program: hbs.AST.Program, scope: Scope): Markup {
    const output = new Output(maxTextLength);
    this.deeper(output).program(program, scope);
    return new Markup(output.text());
  }

  #statement(statement: hbs.AST.Statement, scope: Scope): void {
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
        throw new TemplateProblem('decorators are not supported', placeOfNode(statement));
    }
  }

  #mustache(mustache: hbs.AST.MustacheStatement, scope: Scope): void {
    const word = wordOf(mustache.path);
    if (isBlockWord(word) && !functions.has(word) && hasArguments(mustache))
      throw new TemplateProblem(
        `${word} is a block: {{#${word} ...}} ... {{/${word}}}`,
        placeOfNode(mustache),
      );
    const value = expressionOf(mustache, scope, this.evaluation);
    const escape = this.evaluation.autoEscape && mustache.escaped;
    this.output.write(placed(placeOfNode(mustache.path), () => this.evaluation.printed(value, escape)));
  }
}

// Blocks: if, unless, each, with and times; any function as a condition; a value as a section.

type Block = hbs.AST.BlockStatement;

/** Writes the block, or its {{else}}. */
function writeBlock(writer: TemplateWriter, block: Block, scope: Scope): void {
  const word = wordOf(block.path);
  const place = placeOfNode(block);
  if (word !== undefined && hasArguments(block)) {
    const write = words[word];
    if (write !== undefined && isBlockWord(word)) write({ writer, block, scope, place });
    else if (functions.has(word))
      choose({ writer, block, scope, place }, isTrue(expressionOf(block, scope, writer.evaluation)));
    else throw new TemplateProblem(`there is no block '${word}'`, place);
  } else if (isBlockWord(word)) {
    throw new TemplateProblem(`{{#${word}}} needs a value`, place);
  } else section({ writer, block, scope, place });
}

function isBlockWord(word: string | undefined): word is string {
  return word !== undefined && Object.hasOwn(words, word);
}

interface BlockContext {
  readonly writer: TemplateWriter;
  readonly block: Block;
  readonly scope: Scope;
  readonly place: Place;
}

const words: Readonly<Record<string, (context: BlockContext) => void>> = {
  if: (context) => {
    choose(context, condition(context));
  },
  unless: (context) => {
    choose(context, !condition(context));
  },
  each: (context) => {
    each(context, subject(context));
  },
  with: (context) => {
    const value = subject(context);
    if (isTrue(value)) inside(context, value);
    else otherwise(context);
  },
  times: (context) => {
    const count = placed(context.place, () => {
      const call = {
        name: 'times',
        args: [],
        named: new Map<string, unknown>(),
        formats: context.writer.evaluation.formats,
      };
      const size = Math.max(0, Math.trunc(numberOf(subject(context), call)));
      checkList(size);
      return size;
    });
    each(
      context,
      Array.from({ length: count }, (_, index) => index),
    );
  },
};

/** `{{#if n includeZero=true}}`. */
function condition({ writer, block, scope }: BlockContext): boolean {
  const value = first(block, scope, writer);
  const zero = namedOf(block.hash, scope, writer.evaluation).get('includeZero') === true;
  return isTrue(value) || (zero && value === 0);
}

/** The value may be missing only if the block has an {{else}}. */
function subject({ writer, block, scope }: BlockContext): unknown {
  const value = first(block, scope, writer);
  return inverseOf(block) === undefined ? writer.evaluation.needed(value) : value;
}

function first(block: Block, scope: Scope, writer: TemplateWriter): unknown {
  const [param] = block.params;
  return param === undefined ? undefined : argumentOf(param, scope, writer.evaluation);
}

/** `{{#items}}` loops over a list, is a condition for true, false and null, and enters any other value. */
function section(context: BlockContext): void {
  const value = expressionOf(context.block, context.scope, context.writer.evaluation);
  if (Array.isArray(value)) each(context, value);
  else if (value === true) choose(context, true);
  else if (value === false || value === null || value instanceof Missing) otherwise(context);
  else inside(context, value);
}

function each(context: BlockContext, value: unknown): void {
  const entries = entriesOf(value, context.place);
  if (entries.length === 0) otherwise(context);
  entries.forEach(([key, member], index) => {
    const values = [
      ['key', key],
      ['index', index],
      ['first', index === 0],
      ['last', index === entries.length - 1],
    ] as const;
    inside(context, member, { values, params: [member, key] });
  });
}

function entriesOf(value: unknown, place: Place): readonly (readonly [string | number, unknown])[] {
  if (value === undefined || value === null || value === false || value instanceof Missing) return [];
  if (Array.isArray(value)) return value.map((member: unknown, index) => [index, member] as const);
  if (isPlainObject(value)) return Object.entries(value);
  throw new TemplateProblem(`{{#each}} needs a list or an object, not ${kindOf(value)}`, place);
}

function inside(
  { writer, block, scope }: BlockContext,
  context: unknown,
  more: { values?: readonly (readonly [string, unknown])[]; params: readonly unknown[] } = {
    params: [context],
  },
): void {
  const names: readonly string[] = (block.program as hbs.AST.Program | undefined)?.blockParams ?? [];
  const locals = names.map((name, index) => [name, more.params[index]] as const);
  const inner = within(scope, context, {
    ...(more.values === undefined ? {} : { values: more.values }),
    ...(locals.length === 0 ? {} : { locals }),
  });
  writer.deeper().program(block.program, inner);
}

function choose(context: BlockContext, yes: boolean): void {
  if (yes) context.writer.deeper().program(context.block.program, context.scope);
  else otherwise(context);
}

function otherwise({ writer, block, scope }: BlockContext): void {
  writer.deeper().program(inverseOf(block), scope);
}

function inverseOf(block: Block): hbs.AST.Program | undefined {
  return block.inverse;
}

// Partials: `{{#*inline "row"}} ... {{/inline}}` and `{{> row item}}`. Only the template itself can define them; no file is read.

function definePartial(block: hbs.AST.DecoratorBlock, scope: Scope): void {
  const [name] = block.params;
  const kind = (block.path as Partial<hbs.AST.PathExpression>).original;
  if (kind !== 'inline' || name?.type !== 'StringLiteral')
    throw new TemplateProblem('a partial is written {{#*inline "name"}} ... {{/inline}}', placeOfNode(block));
  scope.partials.set((name as hbs.AST.StringLiteral).value, { program: block.program });
}

/** `{{> name}}`, or `{{#> name}}content of @partial-block{{/name}}`. */
function writePartial(writer: TemplateWriter, partial: hbs.AST.PartialBlockStatement, scope: Scope): void {
  const name = nameOf(writer, partial, scope);
  const body = partial.program as hbs.AST.Program | undefined;
  const found = scope.partials.get(name) ?? (body === undefined ? undefined : { program: body });
  if (found === undefined) {
    throw new TemplateProblem(
      `there is no partial '${name}'; define it above with {{#*inline "${name}"}} ... {{/inline}}`,
      placeOfNode(partial),
    );
  }
  const partials = new Map(scope.partials);
  if (body !== undefined) partials.set('@partial-block', { program: body, scope });
  const inner = found.scope ?? { ...within(scope, contextOf(writer, partial, scope)), partials };
  writer.deeper().program(found.program, inner);
}

function nameOf(writer: TemplateWriter, { name }: hbs.AST.PartialBlockStatement, scope: Scope): string {
  if (name.type === 'SubExpression') return String(argumentOf(name, scope, writer.evaluation));
  const { original } = name as unknown as { original: string | number };
  return name.data ? `@${String(original).replace(/^@/, '')}` : String(original);
}

/** Returns the argument, or the current context, extended by `key=value` arguments. */
function contextOf(writer: TemplateWriter, partial: hbs.AST.PartialBlockStatement, scope: Scope): unknown {
  const [param] = partial.params;
  const context =
    param === undefined
      ? scope.context
      : writer.evaluation.needed(argumentOf(param, scope, writer.evaluation));
  const named = namedOf(partial.hash, scope, writer.evaluation);
  if (named.size === 0) return context;
  const entries = isPlainObject(context) ? Object.entries(context) : [];
  return dictionary([
    ...entries,
    ...[...named].map(([key, value]) => [key, writer.evaluation.needed(value)] as const),
  ]);
}

/** The part of the interpreter that blocks and partials use. */
export interface TemplateWriter {
  readonly evaluation: Evaluation;
  program(program: hbs.AST.Program | undefined, scope: Scope): void;
  /** Returns a writer one level deeper. The number of levels is limited. */
  deeper(output?: Output): TemplateWriter;
  /** Returns what the program writes. */
  captured(program: hbs.AST.Program, scope: Scope): Markup;
}
