/** Partials, of the template's own only: `{{#*inline "row"}} ... {{/inline}}` and `{{> row item}}`. No file is ever read. */
import { TemplateProblem } from '../problem.ts';
import { dictionary, isPlainObject } from '../values.ts';
import { argumentOf, namedOf } from './expressions.ts';
import type { Writer } from './handlebars.ts';
import { placeOfNode } from './parsed.ts';
import { within, type Scope } from './scope.ts';

export function definePartial(block: hbs.AST.DecoratorBlock, scope: Scope): void {
  const [name] = block.params;
  const kind = (block.path as Partial<hbs.AST.PathExpression>).original;
  if (kind !== 'inline' || name?.type !== 'StringLiteral')
    throw new TemplateProblem('a partial is written {{#*inline "name"}} ... {{/inline}}', placeOfNode(block));
  scope.partials.set((name as hbs.AST.StringLiteral).value, { program: block.program });
}

/** `{{> name}}`, or `{{#> name}}what it finds as @partial-block{{/name}}`. */
export function writePartial(writer: Writer, partial: hbs.AST.PartialBlockStatement, scope: Scope): void {
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

function nameOf(writer: Writer, { name }: hbs.AST.PartialBlockStatement, scope: Scope): string {
  if (name.type === 'SubExpression') return String(argumentOf(name, scope, writer.evaluation));
  const { original } = name as unknown as { original: string | number };
  return name.data ? `@${String(original).replace(/^@/, '')}` : String(original);
}

/** The argument, or the context here; with `key=value` besides. */
function contextOf(writer: Writer, partial: hbs.AST.PartialBlockStatement, scope: Scope): unknown {
  const [param] = partial.params;
  const context =
    param === undefined
      ? scope.context
      : writer.evaluation.needed(argumentOf(param, scope, writer.evaluation));
  const named = namedOf(partial.hash, scope, writer.evaluation);
  if (named.size === 0) return context;
  const own = isPlainObject(context) ? Object.entries(context) : [];
  return dictionary([
    ...own,
    ...[...named].map(([key, value]) => [key, writer.evaluation.needed(value)] as const),
  ]);
}
