/** Interprets the output of `npm audit`, including a missing report. */

interface AuditReport {
  readonly message?: string;
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
  readonly vulnerabilities?: Readonly<Record<string, { readonly name: string; readonly severity: string }>>;
}

export interface AuditResult {
  /** False if a vulnerability is high or critical. */
  readonly ok: boolean;
  /** The result for the person who packages. */
  readonly sentence: string;
}

/** `output` is that of `npm audit --json`, possibly with other messages of npm. */
export function auditResult(output: string): AuditResult {
  const report = reportIn(output);
  const counts = report.metadata?.vulnerabilities;
  if (counts === undefined) return { ok: true, sentence: notAudited(report.message ?? 'no report came') };
  const { total = 0, high = 0, critical = 0 } = counts;
  const grave = high + critical;
  if (grave === 0) return { ok: true, sentence: `npm audit: nothing high, ${total} lower.` };
  const names = Object.values(report.vulnerabilities ?? {})
    .filter(({ severity }) => /^(high|critical)$/.test(severity))
    .map(({ name }) => name);
  const what = `${grave} with a vulnerability of severity high: ${names.join(', ')}`;
  return { ok: false, sentence: `npm audit names packages, ${what}` };
}

/** Some registries serve packages but no advisories. */
function notAudited(why: string): string {
  return `NOT AUDITED: the registry gives no advisories (${why}); run \`npm audit --omit=dev\` where one does.`;
}

function reportIn(output: string): AuditReport {
  const [start, end] = [output.indexOf('{'), output.lastIndexOf('}')];
  try {
    return JSON.parse(output.slice(start, end + 1)) as AuditReport;
  } catch {
    return {};
  }
}
