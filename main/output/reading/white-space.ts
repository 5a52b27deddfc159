/** Reads from a font's ToUnicode CMap (ISO 32000-1, 9.10.3) which of its codes are white space. */
import { operations } from './content-stream.ts';
import type { Value } from './pdf-syntax.ts';

/** Whether a text is nothing but white space. `codeBytes` is 2 for a composite font, 1 for a simple one. */
export function whiteSpaceTest(cmap: Uint8Array, codeBytes: 1 | 2): (text: Uint8Array) => boolean {
  const white = whiteCodes(cmap);
  return (text) => {
    for (let at = 0; at < text.length; at += codeBytes)
      if (!white.has(codeOf(text.subarray(at, at + codeBytes)))) return false;
    return true;
  };
}

function whiteCodes(cmap: Uint8Array): Set<number> {
  const white = new Set<number>();
  for (const { operator, operands } of operations(cmap)) {
    if (operator === 'endbfchar')
      for (let at = 0; at + 1 < operands.length; at += 2)
        addRange(white, [operands[at], operands[at], operands[at + 1]]);
    if (operator === 'endbfrange')
      for (let at = 0; at + 2 < operands.length; at += 3) addRange(white, operands.slice(at, at + 3));
  }
  return white;
}

/** Codes from first to last mean the characters of a list, or one character and those that follow it. */
function addRange(white: Set<number>, [first, last, meaning]: readonly (Value | undefined)[]): void {
  if (!(first instanceof Uint8Array) || !(last instanceof Uint8Array)) return;
  const [from, to] = [codeOf(first), Math.min(codeOf(last), codeOf(first) + 0xffff)];
  for (let code = from; code <= to; code += 1) {
    const characters = Array.isArray(meaning) ? meaning[code - from] : meaning;
    if (!(characters instanceof Uint8Array)) continue;
    const text = Buffer.from(characters.length % 2 === 0 ? characters : [])
      .swap16()
      .toString('utf16le');
    const shift = Array.isArray(meaning) ? 0 : code - from;
    if (text.length > 0 && isWhite(text, shift)) white.add(code);
  }
}

function isWhite(text: string, shift: number): boolean {
  const last = String.fromCharCode(text.charCodeAt(text.length - 1) + shift);
  return /^\s+$/.test(text.slice(0, -1) + last);
}

function codeOf(bytes: Uint8Array): number {
  return bytes.reduce((code, byte) => code * 256 + byte, 0);
}
