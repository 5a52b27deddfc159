/** Collects the font styles and unusual characters in the text of a page. Part of the page script `examine`. */

/** A font style of text in the page. */
export interface FontStack {
  readonly families: string;
  readonly weight: string;
  readonly style: string;
  /** The style as the `font` value of a canvas. */
  readonly font: string;
  /** The number of characters without whitespace. */
  characters: number;
  /** The first element with this style, and the first other element with unusual characters. */
  readonly samples: Element[];
  /** Unusual characters, which may have no glyph, with their count and first element. */
  readonly unusual: Map<string, { count: number; readonly element: Element }>;
}

export interface PageTexts {
  readonly stacks: ReadonlyMap<string, FontStack>;
  /** The number of U+FFFD characters. */
  readonly replaced: number;
  /** An excerpt of text that looks like UTF-8 decoded in another encoding; undefined if there is none. */
  readonly garbled: string | undefined;
  /** Adds text of the element or of its pseudo-element. Ignores text that is not displayed. */
  readonly add: (element: Element, text: string, pseudo?: string) => void;
}

const maxStacks = 200;
const maxUnusual = 400;

export function readTexts(): PageTexts {
  const stacks = new Map<string, FontStack>();
  const stackByElement = new Map<Element, FontStack | undefined>();
  let replaced = 0;
  let garbled: string | undefined;
  return {
    stacks,
    get replaced() {
      return replaced;
    },
    get garbled() {
      return garbled;
    },
    add(element, text, pseudo) {
      const stack = pseudo === undefined ? stackOfElement(element) : stackOf(stacks, element, pseudo);
      if (stack === undefined) return;
      if (stack.samples.length === 0) stack.samples.push(element);
      stack.characters += text.replace(/\s+/g, '').length;
      if (!nonAscii.test(text)) return;
      addUnusual(stack, element, text);
      replaced += text.split('\ufffd').length - 1;
      garbled ??= garbledIn(text);
    },
  };
  function stackOfElement(element: Element): FontStack | undefined {
    if (!stackByElement.has(element))
      stackByElement.set(element, element.checkVisibility() ? stackOf(stacks, element) : undefined);
    return stackByElement.get(element);
  }
}

/** Garbled text and unusual characters contain no ASCII characters, so text with ASCII characters only is not searched. */
const nonAscii = /[^\0-\x7f]/;

function stackOf(stacks: Map<string, FontStack>, element: Element, pseudo?: string): FontStack | undefined {
  const { fontFamily: families, fontWeight: weight, fontStyle: style } = getComputedStyle(element, pseudo);
  const font = `${style} ${weight} 20px ${families}`;
  const cached = stacks.get(font);
  if (cached !== undefined || stacks.size >= maxStacks) return cached;
  const stack = { families, weight, style, font, characters: 0, samples: [], unusual: new Map() };
  stacks.set(font, stack);
  return stack;
}

/**
 * Matches characters other than those up to Latin Extended-A and typographic signs, which fonts on every machine have. Does not
 * match invisible characters, which need no glyph.
 */
const unusualCharacter =
  /[^\0-\u017f\u2010-\u203a€™\p{M}\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\ufffd]/gu;

function addUnusual({ unusual, samples }: FontStack, element: Element, text: string): void {
  const found = text.match(unusualCharacter);
  if (found === null) return;
  if (samples.length === 1 && samples[0] !== element) samples.push(element);
  for (const character of found) {
    const cached = unusual.get(character);
    if (cached !== undefined) cached.count += 1;
    else if (unusual.size < maxUnusual) unusual.set(character, { count: 1, element });
  }
}

/** The bytes 80 to BF, which continue a UTF-8 sequence, decoded as Windows-1252. */
const continuation = '[\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]';

/**
 * Matches UTF-8 decoded as Windows-1252, in this order: Western letters, typographic signs, Cyrillic and Greek letters, East Asian
 * letters, emoji. East Asian letters must occur twice in a row, because a single one may be correct French text ("voilà »").
 */
// eslint-disable-next-line platen/linear-pattern -- No alternative has an unbounded loop whose characters begin another match: each letter is followed by continuations.
const garbledText = new RegExp(
  `[ÂÃĂ]${continuation}|â[€„†ˆ‚–…]${continuation}|(?:[ÐÑÎÏ]${continuation}){3,}|(?:[ã-é]${continuation}${continuation}){2,}|ðŸ${continuation}${continuation}`,
  'u',
);

/** Returns the first garbled text with a few characters around it; undefined if there is none. */
function garbledIn(text: string): string | undefined {
  const found = garbledText.exec(text);
  if (found === null) return undefined;
  return text
    .slice(Math.max(0, found.index - 15), found.index + 25)
    .replace(/\s+/g, ' ')
    .trim();
}
