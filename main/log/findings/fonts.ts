/** Findings about fonts: families that are not installed, web fonts that did not load, characters without a glyph. */
import { type FontsEvent, type LogEvent, lastOf } from '../events.ts';
import { finding, type Finding } from './finding.ts';
import { counted, groupedBy, listed, shortText } from './phrases.ts';

type Fonts = FontsEvent['detail'];
type Stack = Fonts['stacks'][number];

/** Generic families (CSS Fonts 4, 2.1.3), names of the system font, and CSS keywords. */
const genericFamily =
  /^(serif|sans-serif|monospace|cursive|fantasy|system-ui|math|emoji|fangsong|ui-[a-z-]+|-apple-system|blinkmacsystemfont|initial|inherit)$/i;

export function fontFindings(events: readonly LogEvent[]): Finding[] {
  const fonts = lastOf(events, 'fonts')?.detail;
  if (fonts === undefined) return [];
  return [...notLoadedFindings(fonts), ...substitutionFindings(fonts), ...missingGlyphFindings(fonts)];
}

/** Fonts that only Windows, macOS, Android or a Linux desktop includes. */
const platformFont =
  /^(\.?sf ?(pro|mono|ui|compact)\b.*|sfmono.*|segoe ui.*|menlo|monaco|consolas|cascadia (code|mono)|courier new|helvetica neue|helvetica|arial|roboto( mono)?|ubuntu( mono)?|cantarell|oxygen(-sans)?|fira sans|droid sans|noto sans|lucida (grande|sans unicode|sans|console)|geneva|tahoma|verdana|trebuchet ms|avenir( next)?|san francisco|calibri|cambria|candara|corbel|georgia|palatino( linotype)?|book antiqua|hiragino .*|pingfang .*|microsoft yahei|meiryo|yu gothic.*|ms p?gothic)$/i;

/** Returns the first family of a font-family list. */
function firstFamily(families: string): string {
  const first = /^\s*(?:"([^"]*)"|'([^']*)'|([^,]*))/.exec(families);
  return (first?.[1] ?? first?.[2] ?? first?.[3] ?? '').trim();
}

/** Returns whether text is drawn with a font other than the first family of its style. */
export function isSubstituted({ families, used }: Stack): boolean {
  const requested = firstFamily(families);
  if (requested === '' || genericFamily.test(requested) || used.length === 0) return false;
  // For a web font, the event contains the name in the font file, which may differ from the name in the style sheet.
  return !used.some(
    ({ family, web }) => web || sameFamily(family, requested) || isMetricCompatible(requested, family),
  );
}

/** Fonts whose characters are exactly as wide as those of the listed fonts, for which they are replacements. */
const metricCompatible: Readonly<Record<string, readonly string[]>> = {
  'liberation sans': ['arial', 'helvetica'],
  'liberation serif': ['times new roman', 'times'],
  'liberation mono': ['courier new', 'courier'],
  'nimbus sans': ['arial', 'helvetica'],
  'nimbus roman': ['times new roman', 'times'],
  'nimbus mono ps': ['courier new', 'courier'],
  carlito: ['calibri'],
  caladea: ['cambria'],
  gelasio: ['georgia'],
};

function isMetricCompatible(requested: string, used: string): boolean {
  return metricCompatible[used.toLowerCase()]?.includes(requested.toLowerCase()) ?? false;
}

function sameFamily(left: string, right: string): boolean {
  return left.localeCompare(right, 'en', { sensitivity: 'base' }) === 0;
}

function notLoadedFindings({ failed }: Fonts): Finding[] {
  if (failed.length === 0) return [];
  const names = [...new Set(failed)];
  const sentence = `${counted(names.length, 'web font')} could not be loaded, so other fonts were used instead: ${listed(names, (name) => shortText(name))}.`;
  return [finding('font-not-loaded', sentence, { options: ['disable_remote_fonts'] })];
}

function substitutionFindings({ stacks, failed }: Fonts): Finding[] {
  const all = stacks.filter((stack) => isSubstituted(stack) && !isAmong(failed, firstFamily(stack.families)));
  return [
    ...substitutionFinding(
      all.filter((stack) => !isExpected(stack)),
      'warning',
    ),
    ...substitutionFinding(all.filter(isExpected), 'info'),
  ];
}

/**
 * Returns whether the substitution was to be expected: the font-family list names the used font as a fallback, or begins with a
 * font of one platform and ends with a generic family.
 */
function isExpected({ families, used }: Stack): boolean {
  const others = families.split(',').slice(1).map(firstFamily);
  if (platformFont.test(firstFamily(families)) && genericFamily.test(others.at(-1) ?? '')) return true;
  return used.every(({ family }) =>
    others.some((fallback) => sameFamily(family, fallback) || isMetricCompatible(fallback, family)),
  );
}

function substitutionFinding(stacks: readonly Stack[], severity: Finding['severity']): Finding[] {
  const groups = groupedBy(stacks, ({ families }) => firstFamily(families).toLowerCase());
  if (groups.size === 0) return [];
  const fonts = listed([...groups.values()], describeSubstitution);
  const sentence = `${counted(groups.size, 'font')} that the page uses ${groups.size === 1 ? 'is' : 'are'} not installed: ${fonts}. Include fonts as web fonts (@font-face), or install them where Platen runs.`;
  return [finding('font-substituted', sentence, { severity })];
}

function isAmong(failed: readonly string[], family: string): boolean {
  return failed.some((name) => name.toLowerCase().includes(family.toLowerCase()));
}

/** Returns a string such as `“Inter” (1,204 characters, first in p.lead, drawn with DejaVu Sans)`. */
function describeSubstitution(stacks: readonly Stack[]): string {
  const [first] = stacks;
  const characters = stacks.reduce((sum, stack) => sum + stack.characters, 0);
  const drawn = [...new Set(stacks.flatMap(({ used }) => used.map(({ family }) => family)))];
  const requested = shortText(firstFamily(first?.families ?? ''), 60);
  const where = shortText(first?.element ?? '', 80);
  return `“${requested}” (${counted(characters, 'character')}, first in ${where}, drawn with ${listed(drawn, (family) => shortText(family, 60))})`;
}

function missingGlyphFindings({ missing }: Fonts): Finding[] {
  if (missing.length === 0) return [];
  const characters = listed(
    missing,
    ({ character, count, element }) =>
      `${namedCharacter(character)} (${counted(count, 'time')}, first in ${shortText(element, 80)})`,
  );
  const remedy = missing.some(({ character }) => isPrivate(character))
    ? ' Characters of the private use area are usually icons: their icon font did not load.'
    : ' Include a font that contains them as a web font (@font-face), or install such a font.';
  const have = missing.length === 1 ? 'has' : 'have';
  const sentence = `${counted(missing.length, 'character')} ${have} no glyph in any font and ${missing.length === 1 ? 'shows' : 'show'} as an empty box: ${characters}.${remedy}`;
  return [finding('glyphs-missing', sentence)];
}

/** Returns the code point, such as `U+E001`, preceded by the character itself unless it is private or invisible. */
export function namedCharacter(character: string): string {
  const code = Array.from(character.slice(0, 8))
    .map((part) => `U+${(part.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');
  return isPrivate(character) || /^[\p{C}\p{Z}]/u.test(character)
    ? code
    : `“${character.slice(0, 8)}” ${code}`;
}

function isPrivate(character: string): boolean {
  return /^\p{Co}/u.test(character);
}
