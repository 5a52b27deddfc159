/** The finding about a job without an output: why the job failed and what helps, or that the job did not end normally. */
import { type LogEvent, eventsOf, lastOf } from '../events.ts';
import { summaryOf, type JobSummary } from '../job-summary.ts';
import { finding, type Finding } from './finding.ts';
import { formatNumber, shortText, shortAddress, listed } from './phrases.ts';
import { certificateOption } from './missing.ts';
import { isPending, pageOf } from './requests.ts';

/** Returns the finding about a job without an output. Does not repeat the advice in `derived`, the job's other findings. */
export function outcomeFindings(events: readonly LogEvent[], derived: readonly Finding[]): Finding[] {
  const { outcome, failure, took } = summaryOf(events);
  if (outcome === 'converted') return [];
  if (outcome === 'caller gone')
    return [finding('job-unfinished', callerDisconnectedSentence(failure, took))];
  if (failure === undefined) return [finding('job-unfinished', unfinishedSentence(events, outcome))];
  const { remedy = '', options = [] } = adviceFor({ failure, events, derived });
  const parts = [shortText(failure.text, 500), stageSentence(failure), remedy];
  return [finding('job-failed', parts.filter((part) => part !== '').join(' '), { options })];
}

/** The failure in the log of a run that the user cancelled in the console. */
export const cancelledText = 'The run was cancelled.';

type JobFailure = NonNullable<JobSummary['failure']>;

/** Returns a sentence about the stage that failed; empty if the failure's message names the stage, or if no stage had begun. */
function stageSentence(failure: JobFailure): string {
  const { stage } = failure.detail;
  if (namesStage(failure) || stage === 'start') return '';
  return `It failed in the stage “${shortText(stage)}”.`;
}

/** Returns whether the message of a failure names the stage itself. Only the message of a job timeout does. */
export function namesStage({ detail: { reason } }: JobFailure): boolean {
  const timedOut = 323;
  return reason === timedOut;
}

function callerDisconnectedSentence(failure: JobSummary['failure'], took: number): string {
  const stage = failure?.detail.stage ?? 'start';
  const where = stage === 'start' ? '' : `, in the stage “${shortText(stage)}”`;
  if (failure?.text === cancelledText)
    return `The run was cancelled after ${formatNumber(Math.round(took))} ms${where}. It is not charged.`;
  return `The caller closed the connection after ${formatNumber(Math.round(took))} ms${where}, so nothing was delivered. Raise the client's timeout, or check the findings below for what took so long.`;
}

/** Returns a sentence about an incomplete log. A stage is logged when it ends, so the current stage is unknown. */
function unfinishedSentence(events: readonly LogEvent[], outcome: JobSummary['outcome']): string {
  if (outcome === 'failed') return 'The job failed, but its log does not contain the reason.';
  const last = eventsOf(events, 'stage').at(-1);
  const reached =
    last === undefined
      ? 'No stage was finished.'
      : `The last finished stage is “${shortText(last.text)}”, after ${formatNumber(Math.round(last.at))} ms.`;
  return `This log is incomplete: the job is still running, or the service ended during the job. ${reached}`;
}

// Advice for a failure, chosen by the reason code and derived from the failure's message and the events.

interface FailureContext {
  readonly failure: NonNullable<JobSummary['failure']>;
  readonly events: readonly LogEvent[];
  /** The other findings of the job. */
  readonly derived: readonly Finding[];
}

interface Advice {
  readonly remedy?: string;
  readonly options?: readonly string[];
}

export function adviceFor(context: FailureContext): Advice {
  return adviceByReason[context.failure.detail.reason ?? 0]?.(context) ?? {};
}

/** The reason codes are listed in docs/errors.md. */
const adviceByReason: Readonly<Record<number, (context: FailureContext) => Advice>> = {
  105: ({ failure }) => (/\bcosts\b/.test(failure.text) ? tooExpensiveAdvice : {}),
  306: tooLargeAdvice,
  311: ({ failure, events }) => ({
    options: [...invalidOption(failure.text), ...optionsNamedIn(failure.text, events)],
  }),
  312: ({ failure, events }) => ({
    options: /\bHTML file\b/.test(failure.text)
      ? ['zip_main_filename']
      : optionsNamedIn(failure.text, events),
  }),
  313: ({ failure, events }) => ({ options: optionsNamedIn(failure.text, events) }),
  320: () => ({ options: ['url'] }),
  321: notLoadedAdvice,
  322: ({ failure, derived }) =>
    derived.some(({ code }) => code === 'blocked-resource') || /\bits port\b/.test(failure.text)
      ? {}
      : { remedy: 'The operator can allow the address with the setting network-allow.' },
  323: timeoutAdvice,
  324: elementNotFoundAdvice,
  326: () => ({
    remedy: 'Remove parts of the page to find the cause: very large images and tables first, then scripts.',
    options: ['disable_javascript'],
  }),
  327: ({ failure, events }) => ({ options: optionsNamedIn(failure.text, events) }),
  500: () => ({ remedy: 'Report the job id to the operator.' }),
  503: () => ({ remedy: 'Send the job again later.' }),
};

const tooExpensiveAdvice: Advice = {
  remedy: 'A smaller output costs less.',
  options: ['image_dpi', 'convert_images_to_jpeg', 'jpeg_quality'],
};

function tooLargeAdvice({ failure: { text }, events }: FailureContext): Advice {
  if (/\bmemory\b/.test(text)) return { remedy: 'Split the document, or use smaller images in it.' };
  return { options: optionsNamedIn(text, events) };
}

/** Returns the option in a message such as `The value 'A9' of page_size is not allowed`. Such a log has no options event. */
function invalidOption(text: string): readonly string[] {
  const option = /^.*\bof ([a-z]+(?:_[a-z]+)*) is not (?:allowed|a)\b/.exec(text)?.[1];
  return option === undefined ? [] : [option];
}

/** Returns the job's options that the message names. Ignores names without an underscore, which may be plain words. */
function optionsNamedIn(text: string, events: readonly LogEvent[]): readonly string[] {
  const jobOptions = lastOf(events, 'options')?.detail.options ?? [];
  const words = new Set(text.slice(0, 2000).match(/(?<!\w)[a-z]+(?:_[a-z\d]+)+\b/g));
  return jobOptions.flatMap(({ name }) => (words.has(name) ? [name] : []));
}

function notLoadedAdvice({ failure: { text, detail }, events, derived }: FailureContext): Advice {
  if (detail.stage === 'check what has arrived') return { options: ['fail_on_any_url_error'] };
  if (/\bwas answered with status\b/.test(text)) return { options: ['fail_on_main_url_error'] };
  const isExplained = derived.some(({ code }) => code === 'redirect-loop' || code === 'missing-resource');
  return /\bTLS\b/.test(text) && !isExplained ? { options: certificateOption(events) } : {};
}

function elementNotFoundAdvice({ failure: { text, detail }, derived }: FailureContext): Advice {
  // The message contains the remedy.
  if (/\bpage reference\b/.test(text)) return {};
  const option = /\belement_to_convert\b/.test(text) ? 'element_to_convert' : 'wait_for_element';
  const hasUncaughtError = derived.some(
    ({ code, severity }) => code === 'script-error' && severity === 'error',
  );
  const remedy = hasUncaughtError
    ? 'A script of the page stopped with an error (see below) and may not have created the element.'
    : 'Check the selector, and that the page shows the element without user interaction.';
  const waitOptions = detail.stage === 'cut to the element to convert' ? ['wait_for_element'] : [];
  return { remedy, options: [...new Set([option, ...waitOptions])] };
}

function timeoutAdvice({ failure: { detail }, events }: FailureContext): Advice {
  const { stage } = detail;
  if (stage === 'wait for a window')
    return { remedy: 'All windows were busy; the operator can raise their number with the setting workers.' };
  const script = /^run ((?:custom|on_load)_javascript)$/.exec(stage)?.[1];
  if (script !== undefined)
    return { remedy: 'The script did not end, or its promise did not settle.', options: [script] };
  if (/^(print|capture|encode|finish|fit|examine|find)\b/.test(stage))
    return { remedy: 'Split the document, or simplify it: fewer elements, smaller images.' };
  return loadingAdvice(events);
}

function loadingAdvice(events: readonly LogEvent[]): Advice {
  const requests = eventsOf(events, 'request');
  const page = pageOf(requests);
  if (page !== undefined && isPending(page) && page.detail.from !== 'job')
    return { remedy: `The page itself, ${shortAddress(page.text)}, had not loaded by the time limit.` };
  const pending = requests.filter((request) => isPending(request) && request !== page);
  if (pending.length > 0)
    return {
      remedy: `These resources had not loaded by the time limit: ${listed(pending, ({ text }) => shortAddress(text))}.`,
      options: ['max_loading_time'],
    };
  return {
    remedy: 'No requests were pending: a script kept the page busy, or the layout is too large.',
    options: ['disable_javascript'],
  };
}
