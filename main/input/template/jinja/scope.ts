/** The scopes of a Jinja template. Loops and macros open scopes; `set` writes to the scope that declares the name. */
import { ownProperty } from '../values.ts';

export class JinjaScope {
  readonly #names = new Map<string, unknown>();
  readonly #parent: JinjaScope | undefined;
  /** Whether assignments stay in this scope: a macro reads the names of outer scopes but assigns only its own. */
  readonly #closed: boolean;
  readonly #data: unknown;
  /** Number of nested scopes, counted across macro calls to end infinite recursion. */
  readonly depth: number;

  constructor(origin: { parent: JinjaScope; closed?: boolean; calledFrom?: JinjaScope } | { data: unknown }) {
    this.#parent = 'parent' in origin ? origin.parent : undefined;
    this.#closed = 'parent' in origin && origin.closed === true;
    this.#data = 'data' in origin ? origin.data : undefined;
    const caller = 'parent' in origin ? (origin.calledFrom ?? origin.parent) : undefined;
    this.depth = (caller?.depth ?? 0) + 1;
  }

  get(name: string): unknown {
    if (this.#names.has(name)) return this.#names.get(name);
    return this.#parent === undefined ? ownProperty(this.#data, name) : this.#parent.get(name);
  }

  /** Declares a name in this scope. It hides the same name in outer scopes. */
  declare(name: string, value: unknown): void {
    this.#names.set(name, value);
  }

  /** Assigns to the name in the scope that declares it, as in nunjucks, so that a loop can add to a total. */
  assign(name: string, value: unknown): void {
    const owner = this.#owner(name);
    (owner ?? this).declare(name, value);
  }

  #owner(name: string): JinjaScope | undefined {
    if (this.#names.has(name)) return this;
    return this.#closed || this.#parent === undefined ? undefined : this.#parent.#owner(name);
  }
}

/** `namespace(total=0)`: the only value that a template can change. */
export class Namespace {
  readonly values = new Map<string, unknown>();
}
