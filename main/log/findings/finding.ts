/** Findings explain the result of a job. Each has a code, a severity, a sentence and the options that help. */
import { findingCodes, type FindingCode } from '../finding-codes.ts';
import { type LogEvent, eventsOf } from '../events.ts';

export type Severity = 'error' | 'warning' | 'info';

export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Describes what happened and what to change. */
  readonly sentence: string;
  /** Names of the options that the finding is about, or that can change the result. */
  readonly options: readonly string[];
}

/** Codes of severity `error`: part of the page is missing or unreadable. The most severe come first. */
const errorCodes: readonly FindingCode[] = [
  'job-failed',
  'not-a-page',
  'redirect-loop',
  'renderer-lost',
  'missing-resource',
  'image-broken',
  'script-error',
  'wrong-encoding',
  'glyphs-missing',
  'blank-output',
];

/** Codes of severity `warning`: the result may look different than intended. All other codes have severity `info`. */
const warningCodes: readonly FindingCode[] = [
  'job-unfinished',
  'blocked-resource',
  'font-not-loaded',
  'font-substituted',
  'not-quiet',
  'endless-activity',
  'late-resources',
  'content-overflows',
  'content-hidden',
  'content-cut',
  'content-shrunk',
  'fixed-element-covers',
  'css-not-printed',
  'header-footer-clipped',
  'header-footer-overlaps',
  'not-one-page',
  'ignored-input',
  'name-as-content',
  'option-without-effect',
  'page-references',
  'standard-not-met',
  'output-oversized',
];

export function finding(
  code: FindingCode,
  sentence: string,
  { options = [], severity = defaultSeverity(code) }: Partial<Pick<Finding, 'options' | 'severity'>> = {},
): Finding {
  return { code, severity, sentence, options };
}

function defaultSeverity(code: FindingCode): Severity {
  if (errorCodes.includes(code)) return 'error';
  return warningCodes.includes(code) ? 'warning' : 'info';
}

/** Returns the findings sorted by severity, and within a severity in the order of the lists above. */
export function bySeverity(findings: readonly Finding[]): Finding[] {
  const order = [...errorCodes, ...warningCodes, ...findingCodes];
  const weight = ({ code, severity }: Finding) =>
    ['error', 'warning', 'info'].indexOf(severity) * order.length + order.indexOf(code);
  return findings.toSorted((left, right) => weight(left) - weight(right));
}

/** The stages that examine the page. If one of them does not finish, the log contains a finding `not-examined`. */
const diagnosticStages = { page: 'examine the page', breaks: 'examine the page breaks' } as const;

/** Returns the text for a log without findings, which lists what was examined. */
export function noFindingsSentence(events: readonly LogEvent[]): string {
  const finished = new Set(eventsOf(events, 'stage').map(({ text }) => text));
  const always = 'requests, scripts and options';
  if (!finished.has(diagnosticStages.page))
    return `No problems found. Examined: ${always}. The page itself was not examined.`;
  const breaks = finished.has(diagnosticStages.breaks) ? ', and elements cut by page breaks' : '';
  const inPage = `the page's images, fonts, encoding and width${breaks}`;
  return `No problems found. Examined: ${always}; ${inPage}. The contents of frames were not examined.`;
}
