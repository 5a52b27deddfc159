/** What fonts explain: families that are not there, web fonts that did not come, characters nothing can draw. */
import type { FontsEvent, LogEvent } from '../events.ts';
import { lastOf } from '../select-events.ts';
import { finding, type Finding } from './finding.ts';
import { groupedBy } from './grouped-by.ts';
import { counted, listed, short } from './phrases.ts';

type Fonts = FontsEvent['detail'];
type Stack = Fonts['stacks'][number];

/** Families that name no font (CSS Fonts 4, 2.1.3), and those that stand for the system's own. */
const generic =
  /^(serif|sans-serif|monospace|cursive|fantasy|system-ui|math|emoji|fangsong|ui-[a-z-]+|-apple-system|blinkmacsystemfont|initial|inherit)$/i;

export function fontFindings(events: readonly LogEvent[]): Finding[] {
  const fonts = lastOf(events, 'fonts')?.detail;
  if (fonts === undefined) return [];
  return [...notLoaded(fonts), ...substituted(fonts), ...withoutGlyphs(fonts)];
}

/** Fonts that come with Windows, macOS, Android or a Linux desktop, and with nothing else. */
const ofOnePlatform =
  /^(\.?sf ?(pro|mono|ui|compact)\b.*|sfmono.*|segoe ui.*|menlo|monaco|consolas|cascadia (code|mono)|courier new|helvetica neue|helvetica|arial|roboto( mono)?|ubuntu( mono)?|cantarell|oxygen(-sans)?|fira sans|droid sans|noto sans|lucida (grande|sans unicode|sans|console)|geneva|tahoma|verdana|trebuchet ms|avenir( next)?|san francisco|calibri|cambria|candara|corbel|georgia|palatino( linotype)?|book antiqua|hiragino .*|pingfang .*|microsoft yahei|meiryo|yu gothic.*|ms p?gothic)$/i;

/** The family a style asks for first. */
export function firstFamily(families: string): string {
  const first = /^\s*(?:"([^"]*)"|'([^']*)'|([^,]*))/.exec(families);
  return (first?.[1] ?? first?.[2] ?? first?.[3] ?? '').trim();
}

/** Whether text is drawn with another font than the one asked for first. */
export function isSubstituted({ families, used }: Stack): boolean {
  const wanted = firstFamily(families);
  if (wanted === '' || generic.test(wanted) || used.length === 0) return false;
  // A web font is known here by the name inside its file, which need not be the style sheet's.
  return !used.some(({ family, web }) => web || sameFamily(family, wanted) || isTwin(wanted, family));
}

/** Fonts that were drawn to take the place of others, character for character as wide. */
const twins: Readonly<Record<string, readonly string[]>> = {
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

function isTwin(wanted: string, used: string): boolean {
  return twins[used.toLowerCase()]?.includes(wanted.toLowerCase()) ?? false;
}

function sameFamily(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { sensitivity: 'base' }) === 0;
}

function notLoaded({ failed }: Fonts): Finding[] {
  if (failed.length === 0) return [];
  const names = [...new Set(failed)];
  const sentence = `${counted(names.length, 'web font')} could not be loaded, so other fonts took ${names.length === 1 ? 'its' : 'their'} place: ${listed(names, (name) => short(name))}.`;
  return [finding('font-not-loaded', sentence, { options: ['disable_remote_fonts'] })];
}

function substituted({ stacks, failed }: Fonts): Finding[] {
  const all = stacks.filter((stack) => isSubstituted(stack) && !isAmong(failed, firstFamily(stack.families)));
  return [
    ...replaced(
      all.filter((stack) => !isForeseen(stack)),
      'warning',
    ),
    ...replaced(all.filter(isForeseen), 'info'),
  ];
}

/**
 * The style sheet itself names what is used, for where its first choice is not there; or that is a font of one platform,
 * which everybody knows not to be on others.
 */
function isForeseen({ families, used }: Stack): boolean {
  const others = families.split(',').slice(1).map(firstFamily);
  if (ofOnePlatform.test(firstFamily(families)) && generic.test(others.at(-1) ?? '')) return true;
  return used.every(({ family }) =>
    others.some((other) => sameFamily(family, other) || isTwin(other, family)),
  );
}

function replaced(stacks: readonly Stack[], severity: Finding['severity']): Finding[] {
  const groups = groupedBy(stacks, ({ families }) => firstFamily(families).toLowerCase());
  if (groups.size === 0) return [];
  const said = listed([...groups.values()], replacement);
  const sentence = `${counted(groups.size, 'font')} that the page asks for ${groups.size === 1 ? 'is' : 'are'} not there: ${said}. Send fonts along as web fonts (@font-face), or have them installed where Platen runs.`;
  return [finding('font-substituted', sentence, { severity })];
}

function isAmong(failed: readonly string[], family: string): boolean {
  return failed.some((name) => name.toLowerCase().includes(family.toLowerCase()));
}

/** `“Inter” (1,204 characters, first in p.lead, drawn with DejaVu Sans)`. */
function replacement(stacks: readonly Stack[]): string {
  const [first] = stacks;
  const characters = stacks.reduce((sum, stack) => sum + stack.characters, 0);
  const drawn = [...new Set(stacks.flatMap(({ used }) => used.map(({ family }) => family)))];
  const wanted = short(firstFamily(first?.families ?? ''), 60);
  const where = short(first?.element ?? '', 80);
  return `“${wanted}” (${counted(characters, 'character')}, first in ${where}, drawn with ${listed(drawn, (family) => short(family, 60))})`;
}

function withoutGlyphs({ missing }: Fonts): Finding[] {
  if (missing.length === 0) return [];
  const said = listed(
    missing,
    ({ character, count, element }) =>
      `${namedCharacter(character)} (${counted(count, 'time')}, first in ${short(element, 80)})`,
  );
  const icons = missing.some(({ character }) => isPrivate(character))
    ? ' Characters of the private use area are icons as a rule: their icon font did not come.'
    : ' A font that has them must be sent along or installed.';
  const have = missing.length === 1 ? 'has' : 'have';
  const sentence = `${counted(missing.length, 'character')} ${have} no glyph in any font and ${missing.length === 1 ? 'shows' : 'show'} as an empty box: ${said}.${icons}`;
  return [finding('glyphs-missing', sentence)];
}

/** `U+E001`, with the character itself where a reader's fonts may know it. */
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
