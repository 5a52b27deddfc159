/** Normalises Unicode in linear time. */

/**
 * Matches a longer run of combining marks than any language has: at most 30 are in the Stream-Safe Text Format (UAX #15, 13). The
 * halfwidth voiced sound marks become combining marks in the forms NFKC and NFKD.
 */
const unsafeRun = /[\p{M}\uff9e\uff9f]{31}/u;

/** Returns the text in a normalisation form. A text with a long run of marks stays as it is: ICU sorts each run in quadratic time. */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
  return unsafeRun.test(text) ? text : text.normalize(form);
}

/** Returns the name that is equal for names that differ in case or Unicode normalisation only. */
export function foldedName(name: string): string {
  return normalized(name).toLowerCase();
}
