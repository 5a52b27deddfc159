/** Formats verdicts as Markdown. */
import type { Verdict } from './results.ts';

/** Columns: page, format, number of correct results, median milliseconds. */
export function tableLines(verdicts: readonly Verdict[]): string[] {
  const rows = [...grouped(verdicts)].map(([name, group]) => {
    const correct = group.filter(isRight).length;
    return `| ${name} | ${correct}/${group.length} | ${medianMs(group)} |`;
  });
  return ['| page | format | right | median ms |', '| --- | --- | --- | --- |', ...rows];
}

/** Each distinct reason with its number of occurrences. */
export function failureLines(verdicts: readonly Verdict[]): string[] {
  return [...grouped(verdicts.filter((verdict) => !isRight(verdict)))].map(([name, group]) => {
    const reasons = new Set(group.flatMap(({ reasons }) => reasons));
    return `- ${name.replace(' | ', ' as ')} (${group.length} times wrong): ${[...reasons].slice(0, 4).join('; ')}`;
  });
}

export function totalLine(verdicts: readonly Verdict[]): string {
  const correct = verdicts.filter(isRight).length;
  const share = ((100 * correct) / verdicts.length).toFixed(1);
  return `${correct} of ${verdicts.length} right (${share} %), median ${medianMs(verdicts)} ms`;
}

export function medianMs(verdicts: readonly Verdict[]): number {
  const sorted = verdicts.map(({ milliseconds }) => milliseconds).sort((left, right) => left - right);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}

function isRight({ reasons }: Verdict): boolean {
  return reasons.length === 0;
}

function grouped(verdicts: readonly Verdict[]): Map<string, Verdict[]> {
  const groups = new Map<string, Verdict[]>();
  for (const verdict of verdicts) {
    const way = `${verdict.format}${verdict.asArchive ? ' from an archive' : ''}`;
    const name = `${verdict.page} | ${way}`;
    groups.set(name, [...(groups.get(name) ?? []), verdict]);
  }
  return groups;
}
