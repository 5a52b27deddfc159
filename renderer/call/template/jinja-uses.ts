/** Finds the data that a Jinja template uses. A name refers to a variable of an enclosing tag, or else to the data. */
import { readExpression, type PathReference } from './jinja-expression.ts';
import { jinjaTags, type JinjaTag, type JinjaToken, type Markers } from './jinja-tokens.ts';
import { member, startsWith, valueAt, type Path, type Use, type Uses } from './uses.ts';

interface TagScope {
  readonly word: string;
  /** The data path of each local variable; undefined if the path is unknown. */
  readonly locals: Map<string, Path | undefined>;
  readonly tested: readonly Path[];
}

export function jinjaUses(
  template: string,
  { data, markers }: { readonly data: unknown; readonly markers: Markers },
): Uses {
  const collector = new JinjaUseCollector(data);
  for (const tag of jinjaTags(template, markers)) collector.tag(tag);
  return collector;
}

const blocks = ['if', 'for', 'macro', 'call', 'block', 'switch', 'filter'];

class JinjaUseCollector implements Uses {
  readonly uses: Use[] = [];
  readonly unresolved = new Set<string>();
  readonly #data: unknown;
  readonly #top: TagScope = { word: '', locals: new Map(), tested: [] };
  readonly #scopes: TagScope[] = [this.#top];

  constructor(data: unknown) {
    this.#data = data;
  }

  tag({ kind, tokens }: JinjaTag): void {
    const [first, ...rest] = tokens;
    const word = first?.text ?? '';
    if (kind === 'print') this.#readReferences(tokens);
    else if (word.startsWith('end')) this.#leave(word.slice(3));
    else if (word === 'if' || word === 'elif') this.#condition(word, rest);
    else if (word === 'for') this.#loop(rest);
    else if (word === 'set') this.#set(rest);
    else if (word === 'macro' || word === 'call') this.#macro(word, rest);
    else if (word === 'block') this.#enter({ word });
    else {
      this.#readReferences(rest);
      if (blocks.includes(word)) this.#enter({ word });
    }
  }

  get #scope(): TagScope {
    return this.#scopes.at(-1) ?? this.#top;
  }

  #enter(changes: Partial<TagScope>): void {
    this.#scopes.push({ word: '', locals: new Map(), tested: this.#scope.tested, ...changes });
  }

  #leave(word: string): void {
    const last = this.#scopes.findLastIndex((scope) => scope.word === word);
    if (last > 0) this.#scopes.length = last;
  }

  #condition(word: string, tokens: readonly JinjaToken[]): void {
    const optional = this.#readReferences(tokens, true);
    const tested = [...this.#scope.tested, ...optional.map(({ path }) => path)];
    if (word === 'if') this.#enter({ word, tested });
    else this.#scopes[this.#scopes.length - 1] = { ...this.#scope, tested };
  }

  #loop(tokens: readonly JinjaToken[]): void {
    const inIndex = tokens.findIndex(({ text }) => text === 'in');
    const names = tokens.slice(0, Math.max(0, inIndex)).filter(({ kind }) => kind === 'name');
    const { listReference } = this.#record(readExpression(tokens.slice(inIndex + 1)), {
      isLoopList: true,
    });
    const path = listReference && this.#resolved(listReference.path);
    const locals = new Map<string, Path | undefined>([['loop', undefined]]);
    for (const { text } of names) locals.set(text, undefined);
    const last = names.at(-1)?.text;
    // In a loop over an object, a single loop variable is the key. Of two variables, the second is the value.
    const isKey = names.length === 1 && isObject(path && valueAt(this.#data, path));
    if (last !== undefined && path !== undefined && !isKey) locals.set(last, [...path, member]);
    this.#enter({ word: 'for', locals });
  }

  #set(tokens: readonly JinjaToken[]): void {
    const equalsIndex = tokens.findIndex(({ text }) => text === '=');
    const names = (equalsIndex < 0 ? tokens : tokens.slice(0, equalsIndex)).filter(
      ({ kind }) => kind === 'name',
    );
    const { onlyReference } = this.#record(
      readExpression(equalsIndex < 0 ? [] : tokens.slice(equalsIndex + 1)),
      {},
    );
    const path = onlyReference && this.#resolved(onlyReference.path);
    for (const { text } of names) this.#scope.locals.set(text, path);
    if (equalsIndex < 0) this.#enter({ word: 'set' });
  }

  /** The data paths of macro parameters are unknown. */
  #macro(word: string, tokens: readonly JinjaToken[]): void {
    const [name] = tokens;
    if (word === 'macro' && name !== undefined) this.#scope.locals.set(name.text, undefined);
    const params = tokens.filter(({ kind }) => kind === 'name').map(({ text }) => [text, undefined] as const);
    if (word === 'call') this.#readReferences(tokens);
    this.#enter({ word, locals: new Map([...params, ['caller', undefined]]) });
  }

  #readReferences(tokens: readonly JinjaToken[], isCondition = false): readonly Use[] {
    const before = this.uses.length;
    this.#record(readExpression(tokens, isCondition), {});
    return this.uses.slice(before).filter(({ needed }) => !needed);
  }

  #record<E extends { readonly references: readonly PathReference[] }>(
    expression: E,
    { isLoopList = false }: { readonly isLoopList?: boolean },
  ): E {
    const ownGuards = expression.references.flatMap((reference) =>
      reference.isGuard ? (this.#resolved(reference.path) ?? []) : [],
    );
    const guards = ownGuards.length === 0 ? this.#scope.tested : [...this.#scope.tested, ownGuards];
    for (const { path: written, from, to, needed, usesChildren } of expression.references) {
      const path = this.#resolved(written);
      if (path === undefined) continue;
      const testedSteps = guards.filter((guard) => startsWith(path, guard)).map(({ length }) => length);
      this.uses.push({ path, from, to, needed, usesChildren: usesChildren && !isLoopList, testedSteps });
    }
    return expression;
  }

  #resolved([first = '', ...rest]: Path): Path | undefined {
    const owner = this.#scopes.findLast(({ locals }) => locals.has(first));
    if (owner === undefined) return [first, ...rest];
    const local = owner.locals.get(first);
    if (local !== undefined) return [...local, ...rest];
    for (const step of rest) this.unresolved.add(step);
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
