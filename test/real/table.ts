/** Formats verdicts as Markdown. */
import type { CorpusVerdict } from './results.ts';

/** Returns a table with the columns page, format, number of correct results, and median milliseconds. */
export function tableLines(verdicts: readonly CorpusVerdict[]): string[] {
  const rows = [...grouped(verdicts)].map(([name, group]) => {
    const correct = group.filter(isRight).length;
    return `| ${name} | ${correct}/${group.length} | ${medianMs(group)} |`;
  });
  return ['| page | format | correct | median ms |', '| --- | --- | --- | --- |', ...rows];
}

/** Returns a line for each page and format with wrong results: their number, and up to four different reasons. */
export function failureLines(verdicts: readonly CorpusVerdict[]): string[] {
  return [...grouped(verdicts.filter((verdict) => !isRight(verdict)))].map(([name, group]) => {
    const reasons = new Set(group.flatMap(({ reasons }) => reasons));
    return `- ${name.replace(' | ', ' as ')} (${group.length} wrong results): ${[...reasons].slice(0, 4).join('; ')}`;
  });
}

export function totalLine(verdicts: readonly CorpusVerdict[]): string {
  const correct = verdicts.filter(isRight).length;
  const share = ((100 * correct) / verdicts.length).toFixed(1);
  return `${correct} of ${verdicts.length} correct (${share} %), median ${medianMs(verdicts)} ms`;
}

export function medianMs(verdicts: readonly CorpusVerdict[]): number {
  const sorted = verdicts.map(({ milliseconds }) => milliseconds).sort((left, right) => left - right);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}

function isRight({ reasons }: CorpusVerdict): boolean {
  return reasons.length === 0;
}

function grouped(verdicts: readonly CorpusVerdict[]): Map<string, CorpusVerdict[]> {
  const groups = new Map<string, CorpusVerdict[]>();
  for (const verdict of verdicts) {
    const way = `${verdict.format}${verdict.asArchive ? ' from an archive' : ''}`;
    const name = `${verdict.page} | ${way}`;
    groups.set(name, [...(groups.get(name) ?? []), verdict]);
  }
  return groups;
}
