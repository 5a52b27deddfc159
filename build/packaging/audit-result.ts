/** Interprets the output of `npm audit`. */

interface AuditReport {
  readonly message?: string;
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
  readonly vulnerabilities?: Readonly<Record<string, { readonly name: string; readonly severity: string }>>;
}

export interface AuditResult {
  /** False if a vulnerability is high or critical. */
  readonly ok: boolean;
  /** The message to print. */
  readonly sentence: string;
}

/** `output`: the output of `npm audit --json`, possibly with other messages of npm. Without a report, the result is `ok`. */
export function auditResult(output: string): AuditResult {
  const report = reportIn(output);
  const counts = report.metadata?.vulnerabilities;
  if (counts === undefined)
    return { ok: true, sentence: notAudited(report.message ?? 'npm printed no report') };
  const { total = 0, high = 0, critical = 0 } = counts;
  const severe = high + critical;
  if (severe === 0)
    return { ok: true, sentence: `npm audit: no high or critical vulnerabilities, ${total} less severe.` };
  const names = Object.values(report.vulnerabilities ?? {})
    .filter(({ severity }) => /^(high|critical)$/.test(severity))
    .map(({ name }) => name);
  return {
    ok: false,
    sentence: `npm audit reports ${severe} high or critical vulnerabilities: ${names.join(', ')}`,
  };
}

/** The message if there is no report: some registries serve packages but no advisories. */
function notAudited(why: string): string {
  return `NOT AUDITED: the registry provides no advisories (${why}); run \`npm audit --omit=dev\` with a registry that does.`;
}

function reportIn(output: string): AuditReport {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as AuditReport;
  } catch {
    return {};
  }
}
