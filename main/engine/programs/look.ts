/** What the debug log tells of a page as it stands before it is printed or captured. Looks, and changes nothing. */
import type { EncodingEvent, FontsEvent, ImagesEvent, BreaksEvent } from '../../log/events.ts';
import { elementPath } from './element-path.ts';
import { missingGlyphs } from './glyphs.ts';
import { overflows } from './overflows.ts';
import { imageProblem } from './image-problem.ts';
import { readTexts, type FontStack, type Texts } from './texts.ts';
import { walk } from './walk.ts';

export { missingGlyphs };

export interface Wishes {
  /** Pixels of the output for each CSS pixel: what an image can be seen to have. */
  readonly density: number;
  /** Elements looked at. */
  readonly most: number;
}

type Stack = Omit<FontsEvent['detail']['stacks'][number], 'used'> & {
  /** Whatever it is drawn with, it is drawn with it in every page: it is Western text, and no font comes with the page. */
  readonly plain: boolean;
};

/** All of it can be sent as JSON. */
export interface Look {
  readonly fonts: Omit<FontsEvent['detail'], 'stacks'> & { readonly stacks: readonly Stack[] };
  readonly images: ImagesEvent['detail']['images'];
  readonly overflows: BreaksEvent['detail']['overflows'];
  readonly encoding: Omit<EncodingEvent['detail'], 'declared'> & { readonly meta: boolean };
  /** Elements of the page. */
  readonly elements: number;
}

const mostStacks = 40;
const mostFindings = 50;

/** What stays in this world of the page until it goes: the elements whose fonts are asked for. */
interface Kept {
  platenSamples?: readonly (readonly Element[])[];
}

export function look({ density, most }: Wishes): Look {
  const texts = readTexts();
  const images: ImagesEvent['detail']['images'][number][] = [];
  walk(document, most, {
    text: texts.add,
    image(image) {
      const problem = images.length < mostFindings ? imageProblem(image, density) : undefined;
      if (problem !== undefined) images.push(problem);
    },
  });
  const stacks = [...texts.stacks.values()]
    .sort((one, other) => other.characters - one.characters)
    .slice(0, mostStacks);
  (globalThis as Kept).platenSamples = stacks.map(({ samples }) => samples);
  return {
    fonts: fontsOf(texts, stacks),
    images,
    overflows: overflows(most).slice(0, mostFindings),
    encoding: encodingOf(texts),
    elements: document.querySelectorAll('*').length,
  };
}

function fontsOf(texts: Texts, stacks: readonly FontStack[]): Look['fonts'] {
  return {
    stacks: stacks.map(({ families, weight, style, characters, unusual, samples: [first] }) => ({
      ...{ families, weight, style, characters },
      plain: unusual.size === 0 && document.fonts.size === 0,
      element: first === undefined ? '' : elementPath(first),
    })),
    failed: failedFonts(),
    missing: missingGlyphs(texts.stacks.values())
      .slice(0, mostFindings)
      .map((glyph) => ({ ...glyph, element: elementPath(glyph.element) })),
  };
}

/** Faces that some text asked for and that did not come; one nobody asked for is not loaded, and not missed. */
function failedFonts(): string[] {
  const faces = [...document.fonts].filter(({ status }) => status === 'error' || status === 'loading');
  const names = faces.map(({ family, weight, style, status }) => {
    const words = [family.replace(/^(["'])(.*)\1$/, '$2'), weight, style].filter((word) => word !== 'normal');
    return `${words.join(' ')}${status === 'loading' ? ' (still on its way)' : ''}`;
  });
  return [...new Set(names)].slice(0, mostFindings);
}

function encodingOf({ replaced, garbled }: Texts): Look['encoding'] {
  const meta = document.querySelector(
    'meta[charset], meta[http-equiv="content-type" i][content*="charset" i]',
  );
  return {
    ...{ encoding: document.characterSet, meta: meta !== null, replaced },
    ...(garbled !== undefined && { garbled }),
  };
}

/** Marks the elements whose fonts are asked for; the style's number of each, in the order of the document. */
export function markSamples(attribute: string): number[] {
  (globalThis as Kept).platenSamples?.forEach((samples, stack) => {
    for (const element of samples) element.setAttribute(attribute, String(stack));
  });
  return [...document.querySelectorAll(`[${attribute}]`)].map((element) =>
    Number(element.getAttribute(attribute)),
  );
}
