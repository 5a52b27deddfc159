/**
 * An ESLint rule: a regular expression must not backtrack more than linearly. It finds what eslint-plugin-regexp does not: strings of
 * several characters that two loops can exchange, as in `(<!--[^]*?-->)*`. The pattern becomes an automaton. Its time is exponential if
 * a state leads back to itself on two paths with the same string. It is polynomial if a string leads from one state to itself, from
 * another state to itself, and from the first to the other (Weideman et al., "Analyzing Matching Time Behavior of Backtracking Regular
 * Expression Matchers by Using Ambiguity of NFA", 2016). The search without `^` is a loop over all characters at the start.
 */
import { CharBase, CharSet, JS, NFA } from 'refa';
import { loopsOf, pathsBetween } from './automaton.mjs';

const advice = 'Let each loop exclude what may follow it, anchor the pattern, or write a scanner.';

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const check = (node, source, flags) => {
      const growth = superlinearGrowth(source, flags);
      if (growth !== undefined)
        context.report({ node, message: `The pattern can take ${growth} time. ${advice}` });
    };
    const checkConstructed = (node) => {
      const [source, flags] = node.arguments.map((argument) => argument.value);
      if (typeof source === 'string') check(node, source, flags ?? '');
      else if (!node.arguments[0]?.regex)
        context.report({
          node,
          message: 'This pattern cannot be checked. Write a literal, or the reason why it takes linear time.',
        });
    };
    return {
      'Literal[regex]': (node) => {
        check(node, node.regex.pattern, node.regex.flags);
      },
      'NewExpression[callee.name=RegExp]': checkConstructed,
      'CallExpression[callee.name=RegExp]': checkConstructed,
    };
  },
};

/** @param {string} source @param {string} flags @returns {'exponential' | 'quadratic' | undefined} */
export function superlinearGrowth(source, flags) {
  const options = { assertions: 'parse', backreferences: 'unknown' };
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source, flags }).parse(options);
  const pattern = new Simplifier(maxCharacter, flags.includes('y')).search(expression);
  const states = statesOf(NFA.fromRegex(pattern, { maxCharacter }));
  const loops = loopsOf(states);
  for (const loop of loops)
    for (const state of loop) {
      const inLoop = [loop, loop];
      const isAmbiguous = pathsBetween([state, state], inLoop).some(
        ([left, right]) =>
          left !== right && pathsBetween([left, right], inLoop).some(([a, b]) => a === state && b === state),
      );
      if (isAmbiguous) return 'exponential';
    }
  for (const first of loops)
    for (const second of loops)
      if (first !== second)
        for (const p of first)
          for (const q of second) {
            const ends = pathsBetween([p, p, q], [first, undefined, second]);
            if (ends.some(([a, b, c]) => a === p && b === q && c === q)) return 'quadratic';
          }
  return undefined;
}

/** Stands for the rest of the text, which an assertion at the end of a pattern may refuse: a private-use character. */
const restOfText = 0xf8ff;

/** Replaces the assertions of a pattern with characters or nothing, and shortens its bounded repetitions. */
class Simplifier {
  /** @param {number} maxCharacter @param {boolean} isSticky */
  constructor(maxCharacter, isSticky) {
    this.all = CharSet.all(maxCharacter);
    this.rest = CharSet.empty(maxCharacter).union([{ min: restOfText, max: restOfText }]);
    this.isSticky = isSticky;
  }

  /** Adds the search for the start of a match to the alternatives that are not anchored. */
  search({ alternatives }) {
    const isAnchored = ({ elements: [first] }) =>
      this.isSticky || (first !== undefined && this.characterBefore(first)?.isEmpty === true);
    const skipped = {
      type: 'Quantifier',
      min: 0,
      max: Infinity,
      lazy: true,
      alternatives: [sequence(characters(this.all))],
    };
    return {
      type: 'Expression',
      alternatives: alternatives.map((alternative) => {
        const elements = this.elements(alternative, { isStart: true, isEnd: true });
        return sequence(...(isAnchored(alternative) ? [] : [skipped]), ...elements);
      }),
    };
  }

  elements({ elements }, { isStart, isEnd }) {
    const isAssertion = ({ type }) => type === 'Assertion';
    const end = elements.findLastIndex((element) => !isAssertion(element)) + 1;
    const start = elements.findIndex((element) => !isAssertion(element));
    return elements.flatMap((element, index) => {
      const place = { isStart: isStart && index <= Math.max(0, start), isEnd: isEnd && index >= end - 1 };
      return this.element(element, place);
    });
  }

  element(element, { isStart, isEnd }) {
    if (element.type === 'Assertion') return this.assertion(element, { isStart, isEnd });
    if (element.type === 'CharacterClass') return [characters(element.characters)];
    // A back-reference.
    if (element.type === 'Unknown') return [];
    const isLoop = element.type === 'Quantifier';
    const place = isLoop ? { isStart: false, isEnd: false } : { isStart, isEnd };
    const alternatives = element.alternatives.map((alternative) =>
      sequence(...this.elements(alternative, place)),
    );
    if (!isLoop) return [{ type: 'Alternation', alternatives }];
    const max = element.max === Infinity ? Infinity : Math.min(element.max, 2);
    return [{ type: 'Quantifier', min: Math.min(element.min, 2), max, lazy: element.lazy, alternatives }];
  }

  assertion({ kind, alternatives, ...assertion }, { isStart, isEnd }) {
    const before = this.characterBefore({ type: 'Assertion', kind, alternatives, ...assertion });
    if (kind === 'behind')
      return isStart && before !== undefined && !before.isEmpty ? [characters(before)] : [];
    if (!isEnd) return [];
    const place = { isStart: false, isEnd: false };
    const inside = alternatives.map((alternative) => sequence(...this.elements(alternative, place)));
    return [{ type: 'Alternation', alternatives: [...inside, sequence()] }, characters(this.rest)];
  }

  /** Returns the characters before a place that a look-behind for one character allows; none for `^`; undefined for another one. */
  characterBefore({ type, kind, negate, alternatives }) {
    if (type !== 'Assertion' || kind !== 'behind') return undefined;
    const [only, ...others] = alternatives;
    const [element, ...more] = only?.elements ?? [];
    if (others.length + more.length > 0 || element?.type !== 'CharacterClass') return undefined;
    return negate ? element.characters.negate() : element.characters;
  }
}

function sequence(...elements) {
  return { type: 'Concatenation', elements };
}

function characters(set) {
  return { type: 'CharacterClass', characters: set };
}

/**
 * Returns the states with their transitions; a set of characters is a bit mask. Leaves out final states, because the match ends there,
 * and the states that do not lead to one.
 */
function statesOf(nfa) {
  const nodes = [...nfa.nodes()].filter((node) => !nfa.finals.has(node));
  const base = new CharBase(nodes.flatMap((node) => [...node.out.values()]));
  const maskOf = (set) => base.split(set).reduce((mask, index) => mask | (1n << BigInt(index)), 0n);
  const states = new Map(nodes.map((node) => [node, { next: [] }]));
  for (const [node, state] of states)
    for (const [target, set] of node.out) {
      const next = states.get(target);
      if (next !== undefined) state.next.push({ state: next, mask: maskOf(set) });
    }
  return [...states.values()];
}
