/** One thing that explains a result, and how much it weighs. */
import { findingCodes, type FindingCode } from '../finding-codes.ts';

export type Severity = 'error' | 'warning' | 'info';

export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Says what happened and what to change. */
  readonly sentence: string;
  /** Options that would change it. */
  readonly options: readonly string[];
}

/** Something of the page is not there, or nobody can read it. What weighs most comes first. */
const errors: readonly FindingCode[] = [
  'job-failed',
  'not-a-page',
  'redirect-loop',
  'renderer-lost',
  'missing-resource',
  'image-broken',
  'script-error',
  'wrong-encoding',
  'glyphs-missing',
];

/** The result may look other than meant. All other codes are good to know. */
const warnings: readonly FindingCode[] = [
  'job-unfinished',
  'blocked-resource',
  'font-not-loaded',
  'font-substituted',
  'late-resources',
  'content-overflows',
  'content-cut',
  'content-shrunk',
  'strip-clipped',
  'strip-overlaps',
  'not-one-page',
  'ignored-input',
  'name-as-content',
  'option-without-effect',
  'slow-resource',
];

export function finding(
  code: FindingCode,
  sentence: string,
  { options = [], severity = usual(code) }: Partial<Pick<Finding, 'options' | 'severity'>> = {},
): Finding {
  return { code, severity, sentence, options };
}

function usual(code: FindingCode): Severity {
  if (errors.includes(code)) return 'error';
  return warnings.includes(code) ? 'warning' : 'info';
}

/** Errors, warnings and the rest, each in the order of its list. */
export function byWeight(findings: readonly Finding[]): Finding[] {
  const order = [...errors, ...warnings, ...findingCodes];
  const weight = ({ code, severity }: Finding) =>
    ['error', 'warning', 'info'].indexOf(severity) * order.length + order.indexOf(code);
  return findings.toSorted((one, other) => weight(one) - weight(other));
}
