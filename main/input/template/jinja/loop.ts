/** The variable `loop` inside a `{% for %}` block. */
import { dictionary, type PlainObject } from '../values.ts';

export class Loop {
  /** Counts from 0. */
  readonly index: number;
  readonly length: number;

  constructor(index: number, length: number) {
    this.index = index;
    this.length = length;
  }

  /** The properties of `loop` in a template. `loop.index` counts from 1. */
  get values(): PlainObject {
    const { index, length } = this;
    return dictionary([
      ['index', index + 1],
      ['index0', index],
      ['revindex', length - index],
      ['revindex0', length - index - 1],
      ['first', index === 0],
      ['last', index === length - 1],
      ['length', length],
    ]);
  }

  /** Returns the result of `loop.cycle("odd", "even")` for this iteration. */
  cycle(values: readonly unknown[]): unknown {
    return values[this.index % Math.max(1, values.length)];
  }
}
