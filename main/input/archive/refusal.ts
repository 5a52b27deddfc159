/** How an archive is refused: one sentence that says which entry, why, and what to change. */
import { Failure } from '../../failure/failure.ts';

/** @param sentence What is wrong and what to change. */
export function refusal(sentence: string, cause?: unknown): Failure {
  return new Failure('archiveUnusable', sentence, { cause });
}

const longestShown = 100;

/** An entry's name as a sentence may hold it: names are the uploader's, so control characters are spelled out. */
export function shown(name: string): string {
  const plain = name.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
  return `'${plain.length > longestShown ? `${plain.slice(0, longestShown)}...` : plain}'`;
}
