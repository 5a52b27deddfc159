/** Finds the loops of an automaton, and the states to which one string leads from several states. */

/** @typedef {{ next: { state: State, mask: bigint }[] }} State */

/** Returns the sets of states that lead to each other. @param {State[]} states @returns {Set<State>[]} */
export function loopsOf(states) {
  const reached = new Map(states.map((state) => [state, reachableFrom(state)]));
  const loops = [];
  const seen = new Set();
  for (const state of states) {
    if (seen.has(state) || !reached.get(state).has(state)) continue;
    const loop = new Set([...reached.get(state)].filter((other) => reached.get(other).has(state)));
    loop.forEach((member) => seen.add(member));
    loops.push(loop);
  }
  return loops;
}

function reachableFrom(state) {
  const reached = new Set();
  const waiting = [state];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop())
    for (const { state: to } of from.next)
      if (!reached.has(to)) {
        reached.add(to);
        waiting.push(to);
      }
  return reached;
}

/**
 * Returns all tuples of states to which strings of at least one character lead from the tuple `from`, the same string in each place.
 * @param {State[]} from
 * @param {(ReadonlySet<State> | undefined)[]} allowed the states that each place may visit; undefined for all
 * @returns {State[][]}
 */
export function pathsBetween(from, allowed) {
  const found = new Tuples();
  const waiting = [from];
  for (let tuple = waiting.pop(); tuple !== undefined; tuple = waiting.pop())
    for (const next of stepsOf(tuple, allowed)) if (found.add(next)) waiting.push(next);
  return found.all;
}

function stepsOf(tuple, allowed) {
  let steps = [{ states: [], mask: -1n }];
  for (const [place, { next }] of tuple.entries())
    steps = steps.flatMap(({ states, mask }) =>
      next
        .filter((edge) => (edge.mask & mask) !== 0n && (allowed[place]?.has(edge.state) ?? true))
        .map((edge) => ({ states: [...states, edge.state], mask: edge.mask & mask })),
    );
  return steps.map(({ states }) => states);
}

class Tuples {
  all = [];
  #ids = new Map();
  #keys = new Set();

  /** Returns whether the tuple is new. */
  add(tuple) {
    const key = tuple.map((state) => this.#idOf(state)).join();
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    this.all.push(tuple);
    return true;
  }

  #idOf(state) {
    if (!this.#ids.has(state)) this.#ids.set(state, this.#ids.size);
    return this.#ids.get(state);
  }
}
