/** Names of a Jinja template: loops and macros open scopes, `set` writes to the one that has the name. */
import { ownProperty } from '../values.ts';

export class Scope {
  readonly #names = new Map<string, unknown>();
  readonly #parent: Scope | undefined;
  /** A macro reads what is around it but writes its own names only. */
  readonly #closed: boolean;
  readonly #data: unknown;
  /** Counted along calls, so that endless recursion ends. */
  readonly depth: number;

  constructor(origin: { parent: Scope; closed?: boolean; calledFrom?: Scope } | { data: unknown }) {
    this.#parent = 'parent' in origin ? origin.parent : undefined;
    this.#closed = 'parent' in origin && origin.closed === true;
    this.#data = 'data' in origin ? origin.data : undefined;
    const above = 'parent' in origin ? (origin.calledFrom ?? origin.parent) : undefined;
    this.depth = (above?.depth ?? 0) + 1;
  }

  get(name: string): unknown {
    if (this.#names.has(name)) return this.#names.get(name);
    return this.#parent === undefined ? ownProperty(this.#data, name) : this.#parent.get(name);
  }

  /** A new name here, hiding any of the same name outside. */
  declare(name: string, value: unknown): void {
    this.#names.set(name, value);
  }

  /** As nunjucks does, so that a loop can add to a total. */
  assign(name: string, value: unknown): void {
    const owner = this.#owner(name);
    (owner ?? this).declare(name, value);
  }

  #owner(name: string): Scope | undefined {
    if (this.#names.has(name)) return this;
    return this.#closed || this.#parent === undefined ? undefined : this.#parent.#owner(name);
  }
}

/** `namespace(total=0)`: the one value a template can change. */
export class Namespace {
  readonly values = new Map<string, unknown>();
}
