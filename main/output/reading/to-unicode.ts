/** Reads from a font's ToUnicode CMap (ISO 32000-1, 9.10.3) which characters its codes stand for. */
import { operations } from './content-stream.ts';
import type { Value } from './pdf-syntax.ts';

/** The characters of a text shown in the font; of a code the map does not know, undefined. */
export function unicodeReader(
  cmap: Uint8Array,
  codeBytes: 1 | 2,
): (text: Uint8Array) => readonly (string | undefined)[] {
  const meanings = meaningsIn(cmap);
  return (text) =>
    Array.from({ length: Math.ceil(text.length / codeBytes) }, (_, index) =>
      meanings.get(codeOf(text.subarray(index * codeBytes, (index + 1) * codeBytes))),
    );
}

function meaningsIn(cmap: Uint8Array): ReadonlyMap<number, string> {
  const meanings = new Map<number, string>();
  for (const { operator, operands } of operations(cmap)) {
    if (operator === 'endbfchar')
      for (let at = 0; at + 1 < operands.length; at += 2)
        addRange(meanings, [operands[at], operands[at], operands[at + 1]]);
    if (operator === 'endbfrange')
      for (let at = 0; at + 2 < operands.length; at += 3) addRange(meanings, operands.slice(at, at + 3));
  }
  return meanings;
}

/** Codes from first to last mean the characters of a list, or one character and those that follow it. */
function addRange(
  meanings: Map<number, string>,
  [first, last, meaning]: readonly (Value | undefined)[],
): void {
  if (!(first instanceof Uint8Array) || !(last instanceof Uint8Array)) return;
  const [from, to] = [codeOf(first), Math.min(codeOf(last), codeOf(first) + 0xffff)];
  for (let code = from; code <= to; code += 1) {
    const characters = Array.isArray(meaning) ? meaning[code - from] : meaning;
    if (!(characters instanceof Uint8Array)) continue;
    const text = Buffer.from(characters.length % 2 === 0 ? characters : [])
      .swap16()
      .toString('utf16le');
    if (text.length > 0) meanings.set(code, shifted(text, Array.isArray(meaning) ? 0 : code - from));
  }
}

function shifted(text: string, shift: number): string {
  return text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + shift);
}

function codeOf(bytes: Uint8Array): number {
  return bytes.reduce((code, byte) => code * 256 + byte, 0);
}
