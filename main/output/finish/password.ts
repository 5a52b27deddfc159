/** Owns how a password is written before a PDF is encrypted with it, so that other keyboards and readers arrive at the same. */

/** U+3000 and the other spaces that are not ASCII's (RFC 3454, table C.1.2). */
const otherSpaces = /[\u00A0\u1680\u2000-\u200B\u202F\u205F\u3000]/gu;
/** Characters nobody sees (RFC 3454, table B.1), and NUL, which would end the password for a program written in C. */
const unseen = /[\0\u00AD\u034F\u1806\u180B-\u180D\u200C\u200D\u2060\uFE00-\uFE0F\uFEFF]/gu;

/** SASLprep (RFC 4013), as ISO 32000-2, 7.6.4.3, asks for; what it forbids is let through, and readers find it the same way. */
export function preparePassword(password: string): string {
  return password.replace(otherSpaces, ' ').replace(unseen, '').normalize('NFKC');
}
