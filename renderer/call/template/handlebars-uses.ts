/**
 * Finds the data that a Handlebars template uses. As in main/input/template/handlebars, a name is looked up in the current context
 * only, not in the contexts around it.
 */
import { tagsOf, type HandlebarsTag, type HandlebarsToken } from './handlebars-tokens.ts';
import { member, startsWith, valueAt, type Path, type Use, type Uses } from './uses.ts';

/** Functions that accept missing values. */
export const optionalValueFunctions: ReadonlySet<string> = new Set(['and', 'or', 'not', 'default', 'd']);

/** Functions that return members of the list they get. */
const listFunctions: ReadonlySet<string> = new Set([
  'sort',
  'reverse',
  'where',
  'unique',
  'slice',
  'select',
  'reject',
  'selectattr',
  'rejectattr',
]);

interface BlockScope {
  readonly word: string;
  /** The data path that names inside the block are relative to; undefined if unknown. */
  readonly context: Path | undefined;
  /** The scope that `../` refers to; undefined at the top level. */
  readonly above: BlockScope | undefined;
  /** The enclosing block; undefined at the top level. */
  readonly parent: BlockScope | undefined;
  /** The data path of each block parameter; undefined for a parameter that is not part of the data, such as a key. */
  readonly locals: ReadonlyMap<string, Path | undefined>;
  /** The paths that enclosing conditions test. */
  readonly tested: readonly Path[];
  /** The value that an `each` or `with` block takes. An `{{else}}` makes this value optional. */
  readonly subject?: Use | undefined;
}

export function handlebarsUses(template: string, data: unknown): Uses {
  const collector = new HandlebarsUseCollector(data);
  for (const tag of tagsOf(template)) collector.tag(tag);
  return collector;
}

/** Processes the tags in document order, and tracks the open blocks. */
class HandlebarsUseCollector implements Uses {
  readonly uses: Use[] = [];
  readonly unresolved = new Set<string>();
  readonly #data: unknown;
  #scope: BlockScope = {
    word: '',
    context: [],
    above: undefined,
    parent: undefined,
    locals: new Map(),
    tested: [],
  };

  constructor(data: unknown) {
    this.#data = data;
  }

  tag({ sign, tokens }: HandlebarsTag): void {
    const [first] = tokens;
    if (sign === '/') this.#scope = this.#scope.parent ?? this.#scope;
    else if (sign.startsWith('#*') || sign === '#>') this.#enter({ context: undefined, above: this.#scope });
    else if (sign === '#' || (sign === '^' && first !== undefined)) this.#open(tokens, this.#scope);
    else if (sign === '^' || first?.text.trim() === 'else') this.#else(tokens.slice(1));
    else if (sign === '>') this.#args(tokens.slice(1), true);
    else this.#expression(tokens, true);
  }

  #enter(changes: Partial<BlockScope>, parent = this.#scope): void {
    const { context, above, locals, tested } = this.#scope;
    this.#scope = { word: '', context, above, locals, tested, ...changes, parent };
  }

  #else(chained: readonly HandlebarsToken[]): void {
    const { subject, parent } = this.#scope;
    if (subject !== undefined) subject.needed = false;
    if (parent === undefined) return;
    const { tested } = this.#scope;
    this.#scope = { ...parent, tested };
    if (chained.length > 0) this.#open(chained, parent);
    else this.#enter({}, parent);
  }

  #open(tokens: readonly HandlebarsToken[], parent: BlockScope): void {
    const bars = tokens.findIndex(({ text }) => text.trim() === 'as');
    const [head = { kind: 'word', text: '', from: 0 }, ...args] = bars < 0 ? tokens : tokens.slice(0, bars);
    const names = bars < 0 ? [] : tokens.slice(bars).filter(({ kind }) => kind === 'word');
    const params = names.slice(1).map(({ text }) => text.trim());
    const word = head.text.trim();
    if (args.length === 0) this.#section(head, parent);
    else if (word === 'each' || word === 'with') this.#into({ word, args, params }, parent);
    else if (word === 'times') {
      this.#args(args, true);
      this.#enter({ context: undefined, above: this.#scope }, parent);
    } else {
      const before = this.uses.length;
      const tests = word === 'if' || word === 'unless' || optionalValueFunctions.has(word);
      this.#args(args, !tests);
      const optional = this.uses.slice(before).filter(({ needed }) => !needed);
      this.#enter({ tested: [...this.#scope.tested, ...optional.map(({ path }) => path)] }, parent);
    }
  }

  /** Opens `{{#value}}`, which iterates over a list, tests a boolean, and otherwise makes the value the context. */
  #section(head: HandlebarsToken, parent: BlockScope): void {
    const path = this.#resolved(head);
    if (path === undefined) {
      this.#enter({ context: undefined, above: this.#scope }, parent);
      return;
    }
    this.#record(head, path, { needed: false, usesChildren: false });
    const value = valueAt(this.#data, path);
    const tested = [...this.#scope.tested, path];
    if (Array.isArray(value)) this.#enter({ context: [...path, member], above: this.#scope, tested }, parent);
    else if (value === undefined || value === null || typeof value === 'boolean')
      this.#enter({ tested }, parent);
    else this.#enter({ context: path, above: this.#scope, tested }, parent);
  }

  #into(
    { word, args, params }: { word: string; args: readonly HandlebarsToken[]; params: readonly string[] },
    parent: BlockScope,
  ): void {
    const before = this.uses.length;
    const [only] = args;
    const isPath = args.length === 1 && only?.kind === 'word';
    if (!isPath) this.#args(args, true);
    const path = isPath ? this.#resolved(only) : this.#listed(args, before);
    const subject =
      isPath && path !== undefined
        ? this.#record(only, path, { needed: true, usesChildren: false })
        : undefined;
    const context = path === undefined || word === 'with' ? path : [...path, member];
    const locals = new Map([...this.#scope.locals, ...params.map((name) => [name, undefined] as const)]);
    if (params[0] !== undefined) locals.set(params[0], context);
    this.#enter({ word, context, above: this.#scope, locals, subject }, parent);
  }

  /** Returns the path of the list whose members a function returns: `items` for `(sort items "name")`. */
  #listed([, name]: readonly HandlebarsToken[], before: number): Path | undefined {
    return listFunctions.has(name?.text.trim() ?? '') ? this.uses[before]?.path : undefined;
  }

  /** Records the use of a path such as `a.b`, or of the arguments of a function. */
  #expression(tokens: readonly HandlebarsToken[], needed: boolean): void {
    const [head, ...args] = tokens;
    if (head === undefined) return;
    if (args.length > 0) this.#args(args, needed && !optionalValueFunctions.has(head.text.trim()));
    else this.#use(head, needed);
  }

  #args(tokens: readonly HandlebarsToken[], needed: boolean): void {
    const rules = [needed];
    tokens.forEach((token, index) => {
      if (token.kind === 'close') rules.pop();
      if (token.kind === 'word' && tokens[index - 1]?.kind !== 'open')
        this.#use(token, rules.at(-1) ?? needed);
      if (token.kind !== 'open') return;
      const name = tokens[index + 1]?.text.trim() ?? '';
      rules.push(!optionalValueFunctions.has(name));
    });
  }

  #use(token: HandlebarsToken, needed: boolean): void {
    if (token.kind !== 'word') return;
    const path = this.#resolved(token);
    if (path !== undefined) this.#record(token, path, { needed, usesChildren: true });
  }

  #record({ text, from }: HandlebarsToken, path: Path, how: Pick<Use, 'needed' | 'usesChildren'>): Use {
    const testedSteps = this.#scope.tested
      .filter((test) => startsWith(path, test))
      .map(({ length }) => length);
    const enclosing = subjectsAround(this.#scope).filter((subject) => startsWith(path, subject.path));
    const use = { path, from, to: from + text.trim().length, ...how, testedSteps, enclosing };
    this.uses.push(use);
    return use;
  }

  #resolved({ text }: HandlebarsToken): Path | undefined {
    const name = text.trim();
    if (name.startsWith('@')) return name.startsWith('@root') ? stepsOf(name.slice(5)) : undefined;
    const ups = /^(?:\.\.\/?)*/.exec(name)?.[0] ?? '';
    const rest = name.slice(ups.length);
    const steps = stepsOf(rest.replace(/^(?:this\b|\.(?=$|\/))/, ''));
    const isRelative = ups !== '' || /^(this\b|\.)/.test(rest);
    const [first = ''] = steps;
    if (!isRelative && this.#scope.locals.has(first)) {
      const local = this.#scope.locals.get(first);
      return local === undefined ? this.#recordUnresolved(steps.slice(1)) : [...local, ...steps.slice(1)];
    }
    const context = this.#contextAbove(ups.split('..').length - 1);
    return context === undefined ? this.#recordUnresolved(steps) : [...context, ...steps];
  }

  #contextAbove(steps: number): Path | undefined {
    let scope: BlockScope | undefined = this.#scope;
    for (let step = 0; step < steps; step += 1) scope = scope?.above;
    return scope?.context;
  }

  #recordUnresolved(steps: Path): Path | undefined {
    for (const step of steps) this.unresolved.add(step);
    return undefined;
  }
}

function subjectsAround({ subject, parent }: BlockScope): Use[] {
  const outer = parent === undefined ? [] : subjectsAround(parent);
  return subject === undefined ? outer : [...outer, subject];
}

/** Splits `a.b`, `a/b` and `a.[b c]` into property names. */
function stepsOf(text: string): string[] {
  return [...text.matchAll(/\[([^[\]]*)\]|[^./[\]]+/g)].map((found) => found[1] ?? found[0]);
}
