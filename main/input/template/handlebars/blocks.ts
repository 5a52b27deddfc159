/** Handlebars blocks: if, unless, each, with, times; any function as a condition; a value as a section. */
import { functions } from '../functions/table.ts';
import { numberOf } from '../functions/call.ts';
import { checkList } from '../output.ts';
import { placed, TemplateProblem, type Place } from '../problem.ts';
import { isPlainObject, isTrue, kindOf, Missing } from '../values.ts';
import { argumentOf, expressionOf, hasArguments, namedOf, wordOf } from './expressions.ts';
import type { Writer } from './handlebars.ts';
import { placeOfNode } from './parsed.ts';
import { within, type Scope } from './scope.ts';

type Block = hbs.AST.BlockStatement;

/** Writes the block, or its {{else}}. */
export function writeBlock(writer: Writer, block: Block, scope: Scope): void {
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

export function isBlockWord(word: string | undefined): word is string {
  return word !== undefined && Object.hasOwn(words, word);
}

interface Writing {
  readonly writer: Writer;
  readonly block: Block;
  readonly scope: Scope;
  readonly place: Place;
}

const words: Readonly<Record<string, (writing: Writing) => void>> = {
  if: (writing) => {
    choose(writing, condition(writing));
  },
  unless: (writing) => {
    choose(writing, !condition(writing));
  },
  each: (writing) => {
    each(writing, subject(writing));
  },
  with: (writing) => {
    const value = subject(writing);
    if (isTrue(value)) inside(writing, value);
    else otherwise(writing);
  },
  times: (writing) => {
    const count = placed(writing.place, () => {
      const call = {
        name: 'times',
        args: [],
        named: new Map<string, unknown>(),
        formats: writing.writer.evaluation.formats,
      };
      const size = Math.max(0, Math.trunc(numberOf(subject(writing), call)));
      checkList(size);
      return size;
    });
    each(
      writing,
      Array.from({ length: count }, (_, index) => index),
    );
  },
};

/** `{{#if n includeZero=true}}`. */
function condition({ writer, block, scope }: Writing): boolean {
  const value = first(block, scope, writer);
  const zero = namedOf(block.hash, scope, writer.evaluation).get('includeZero') === true;
  return isTrue(value) || (zero && value === 0);
}

/** A block with an {{else}} says itself what is to be done without the value. */
function subject({ writer, block, scope }: Writing): unknown {
  const value = first(block, scope, writer);
  return inverseOf(block) === undefined ? writer.evaluation.needed(value) : value;
}

function first(block: Block, scope: Scope, writer: Writer): unknown {
  const [param] = block.params;
  return param === undefined ? undefined : argumentOf(param, scope, writer.evaluation);
}

/** `{{#items}}` runs over a list, asks true, false and null, and enters any other value. */
function section(writing: Writing): void {
  const value = expressionOf(writing.block, writing.scope, writing.writer.evaluation);
  if (Array.isArray(value)) each(writing, value);
  else if (value === true) choose(writing, true);
  else if (value === false || value === null || value instanceof Missing) otherwise(writing);
  else inside(writing, value);
}

function each(writing: Writing, value: unknown): void {
  const entries = entriesOf(value, writing.place);
  if (entries.length === 0) otherwise(writing);
  entries.forEach(([key, member], index) => {
    const values = [
      ['key', key],
      ['index', index],
      ['first', index === 0],
      ['last', index === entries.length - 1],
    ] as const;
    inside(writing, member, { values, params: [member, key] });
  });
}

function entriesOf(value: unknown, place: Place): readonly (readonly [string | number, unknown])[] {
  if (value === undefined || value === null || value === false || value instanceof Missing) return [];
  if (Array.isArray(value)) return value.map((member: unknown, index) => [index, member] as const);
  if (isPlainObject(value)) return Object.entries(value);
  throw new TemplateProblem(`{{#each}} needs a list or an object, not ${kindOf(value)}`, place);
}

function inside(
  { writer, block, scope }: Writing,
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

function choose(writing: Writing, yes: boolean): void {
  if (yes) writing.writer.deeper().program(writing.block.program, writing.scope);
  else otherwise(writing);
}

function otherwise({ writer, block, scope }: Writing): void {
  writer.deeper().program(inverseOf(block), scope);
}

function inverseOf(block: Block): hbs.AST.Program | undefined {
  return block.inverse;
}
