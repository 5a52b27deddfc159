/** Limits the nesting of JSON that is parsed in one step: V8 needs 0.1 s for a megabyte of brackets. */

/** Returns whether arrays and objects in the text are nested more than `limit` times. The text need not be valid JSON. */
export function isNestedBeyond(text: string, limit: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) isInString = !isInString;
    else if (isInString) at += character === backslash ? 1 : 0;
    else if (character === bracket || character === brace) {
      if ((depth += 1) > limit) return true;
    } else if (character === closingBracket || character === closingBrace) depth -= 1;
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const bracket = 0x5b;
const closingBracket = 0x5d;
const brace = 0x7b;
const closingBrace = 0x7d;
