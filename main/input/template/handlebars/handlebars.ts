/**
 * Handlebars without generated code: Handlebars' own parser, and this evaluation of its tree. So every name has a place, no
 * path leaves plain data, and there is nothing to break out of.
 */
import type { Evaluation } from '../evaluation.ts';
import { functions } from '../functions/table.ts';
import { longestText, Output } from '../output.ts';
import { placed, TemplateProblem } from '../problem.ts';
import { Markup } from '../values.ts';
import { isBlockWord, writeBlock } from './blocks.ts';
import { expressionOf, hasArguments, wordOf } from './expressions.ts';
import { parsed, placeOfNode } from './parsed.ts';
import { rootScope, type Scope } from './scope.ts';
import { definePartial, writePartial } from './partials.ts';

const deepest = 200;

/** @throws TemplateProblem */
export function fillHandlebars(
  template: string,
  data: unknown,
  filling: { evaluation: Evaluation; output: Output },
): void {
  const writer = new Writer(filling.evaluation, filling.output, 0);
  writer.program(parsed(template), rootScope(data));
}

/** Writes parts of the tree to one output. */
export class Writer {
  readonly evaluation: Evaluation;
  readonly output: Output;
  readonly #depth: number;

  constructor(evaluation: Evaluation, output: Output, depth: number) {
    if (depth > deepest)
      throw new TemplateProblem(`blocks and partials are nested more than ${deepest} deep`);
    this.evaluation = evaluation;
    this.output = output;
    this.#depth = depth;
  }

  program(program: hbs.AST.Program | undefined, scope: Scope): void {
    if (program === undefined) return;
    const inner = { ...scope, partials: new Map(scope.partials) };
    for (const statement of program.body) this.#statement(statement, inner);
  }

  /** A writer one level further in; levels end endless recursion. */
  deeper(output = this.output): Writer {
    return new Writer(this.evaluation, output, this.#depth + 1);
  }

  captured(program: hbs.AST.Program, scope: Scope): Markup {
    const output = new Output(longestText);
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
