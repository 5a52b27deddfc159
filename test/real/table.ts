/** Verdicts as Markdown. */
import type { Verdict } from './results.ts';

/** Page, format, how often right, median milliseconds. */
export function tableLines(verdicts: readonly Verdict[]): string[] {
  const rows = [...grouped(verdicts)].map(([name, group]) => {
    const right = group.filter(isRight).length;
    return `| ${name} | ${right}/${group.length} | ${medianMs(group)} |`;
  });
  return ['| page | format | right | median ms |', '| --- | --- | --- | --- |', ...rows];
}

/** Each reason once, with how often it was seen. */
export function failureLines(verdicts: readonly Verdict[]): string[] {
  return [...grouped(verdicts.filter((verdict) => !isRight(verdict)))].map(([name, group]) => {
    const reasons = new Set(group.flatMap(({ reasons }) => reasons));
    return `- ${name.replace(' | ', ' as ')} (${group.length} times wrong): ${[...reasons].slice(0, 4).join('; ')}`;
  });
}

export function totalLine(verdicts: readonly Verdict[]): string {
  const right = verdicts.filter(isRight).length;
  const share = ((100 * right) / verdicts.length).toFixed(1);
  return `${right} of ${verdicts.length} right (${share} %), median ${medianMs(verdicts)} ms`;
}

export function medianMs(verdicts: readonly Verdict[]): number {
  const sorted = verdicts.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
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
