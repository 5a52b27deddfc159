/** The scopes in which Handlebars looks up names: the context, block parameters, and data such as @index. */
import { dictionary, MissingValue, ownProperty } from '../values.ts';
import { nodePosition } from './parsed.ts';

export interface HandlebarsScope {
  readonly context: unknown;
  /** The scope of `../`. */
  readonly parent: HandlebarsScope | undefined;
  /** The values of `@root`, `@index` and other names with @; `@../index` is in `outer`. */
  readonly data: DataFrame;
  /** The block parameters, such as `item` in `{{#each items as |item|}}`. */
  readonly locals: ReadonlyMap<string, unknown>;
  readonly partials: Partials;
}

interface DataFrame {
  readonly values: Readonly<Record<string, unknown>>;
  readonly outer: DataFrame | undefined;
}

/** Partials defined by `{{#*inline "name"}}`, visible to later statements of the same program and its blocks. */
type Partials = Map<string, { readonly program: hbs.AST.Program; readonly scope?: HandlebarsScope }>;

export function rootScope(data: unknown): HandlebarsScope {
  return {
    context: data,
    parent: undefined,
    data: { values: dictionary([['root', data]]), outer: undefined },
    locals: new Map(),
    partials: new Map(),
  };
}

/** Returns the scope of a block: `values` become @values, `locals` become block parameters. */
export function blockScope(
  scope: HandlebarsScope,
  context: unknown,
  more: {
    values?: readonly (readonly [string, unknown])[];
    locals?: readonly (readonly [string, unknown])[];
  } = {},
): HandlebarsScope {
  const data =
    more.values === undefined
      ? scope.data
      : { values: dictionary([['root', scope.data.values.root], ...more.values]), outer: scope.data };
  const locals = more.locals === undefined ? scope.locals : new Map([...scope.locals, ...more.locals]);
  // As in Handlebars, a block that keeps the context is not a level for `../`.
  const parent = context === scope.context ? scope.parent : scope;
  return { context, parent, data, locals, partials: scope.partials };
}

/** Returns the value at a path such as `a.b`, `../a`, `this` or `@index`; a MissingValue if there is none. */
export function valueOf(path: hbs.AST.PathExpression, scope: HandlebarsScope): unknown {
  const parts = path.parts.map(String);
  const [first = '', ...others] = parts;
  if (path.data) return followPath(dataValue(path, scope, first), others, path);
  const scoped = /^(this\b|\.)/.test(path.original);
  if (!scoped && path.depth === 0 && scope.locals.has(first))
    return followPath(scope.locals.get(first), others, path);
  let from: HandlebarsScope | undefined = scope;
  for (let step = 0; step < path.depth; step += 1) from = from?.parent;
  return from === undefined ? missing(path) : followPath(from.context, parts, path);
}

function dataValue(path: hbs.AST.PathExpression, scope: HandlebarsScope, name: string): unknown {
  let frame: DataFrame | undefined = scope.data;
  for (let step = 0; step < path.depth; step += 1) frame = frame?.outer;
  // A block without the name uses the value of an outer block.
  for (; frame !== undefined; frame = frame.outer) {
    if (Object.hasOwn(frame.values, name)) return frame.values[name];
  }
  return undefined;
}

function followPath(start: unknown, keys: readonly string[], path: hbs.AST.PathExpression): unknown {
  let value = start;
  for (const key of keys) {
    value = ownProperty(value, key);
    if (value === undefined) return missing(path);
  }
  return value === undefined ? missing(path) : value;
}

function missing(path: hbs.AST.PathExpression): MissingValue {
  return new MissingValue(path.original, nodePosition(path));
}
