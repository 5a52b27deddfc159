/** What helps against a failure, by its reason code: what the events tell of it, and the options that would change it. */
import type { LogEvent } from '../events.ts';
import type { JobSummary } from '../job-summary.ts';
import { eventsOf, lastOf } from '../select-events.ts';
import type { Finding } from './finding.ts';
import { untrusted } from './missing.ts';
import { address, listed } from './phrases.ts';
import { isLate, pageOf } from './requests.ts';

interface Failed {
  readonly failure: NonNullable<JobSummary['failure']>;
  readonly events: readonly LogEvent[];
  /** What is found besides. */
  readonly derived: readonly Finding[];
}

interface Advice {
  readonly say?: string;
  readonly options?: readonly string[];
}

export function adviceFor(failed: Failed): Advice {
  return advice[failed.failure.detail.reason ?? 0]?.(failed) ?? {};
}

/** The reasons are those of docs/errors.md. */
const advice: Readonly<Record<number, (failed: Failed) => Advice>> = {
  105: ({ failure }) => (/\bcosts\b/.test(failure.text) ? tooDear : {}),
  306: tooMuch,
  311: ({ failure, events }) => ({
    options: [...refusedOption(failure.text), ...named(failure.text, events)],
  }),
  312: ({ failure, events }) => ({
    options: /\bHTML file\b/.test(failure.text) ? ['zip_main_filename'] : named(failure.text, events),
  }),
  313: ({ failure, events }) => ({ options: named(failure.text, events) }),
  320: () => ({ options: ['url'] }),
  321: notLoaded,
  322: ({ derived }) =>
    derived.some(({ code }) => code === 'blocked-resource')
      ? {}
      : { say: 'The operator can allow the address with the setting network-allow.' },
  323: outOfTime,
  324: elementNotFound,
  326: () => ({
    say: 'Leave parts of the page out to find the one that does it: very large images and tables first, then scripts.',
    options: ['disable_javascript'],
  }),
  327: ({ failure, events }) => ({ options: named(failure.text, events) }),
  500: () => ({ say: 'Give the job id to the operator.' }),
  503: () => ({ say: 'Send the job again a little later.' }),
};

const tooDear: Advice = {
  say: 'A smaller output costs less.',
  options: ['image_dpi', 'convert_images_to_jpeg', 'jpeg_quality'],
};

function tooMuch({ failure: { text }, events }: Failed): Advice {
  if (/\bmemory\b/.test(text)) return { say: 'Split the document, or use smaller images in it.' };
  return { options: named(text, events) };
}

/** `The value 'A9' of page_size is not allowed`: of a request that could not be read there is nothing but the sentence. */
function refusedOption(text: string): readonly string[] {
  const option = /^.*\bof ([a-z]+(?:_[a-z]+)*) is not (?:allowed|a)\b/.exec(text)?.[1];
  return option === undefined ? [] : [option];
}

/** Options that the failure's sentence names, of those that there are; words of one part may be but words. */
function named(text: string, events: readonly LogEvent[]): readonly string[] {
  const known = lastOf(events, 'options')?.detail.options ?? [];
  const words = new Set(text.slice(0, 2000).match(/\b[a-z]+(?:_[a-z\d]+)+\b/g));
  return known.flatMap(({ name }) => (words.has(name) ? [name] : []));
}

function notLoaded({ failure: { text, detail }, events, derived }: Failed): Advice {
  if (detail.stage === 'check what has arrived') return { options: ['fail_on_any_url_error'] };
  if (/\bwas answered with status\b/.test(text)) return { options: ['fail_on_main_url_error'] };
  const known = derived.some(({ code }) => code === 'redirect-loop' || code === 'missing-resource');
  if (/\bTLS\b/.test(text)) return known ? {} : { options: untrusted(events) };
  if (known || !/\bname was not found\b/.test(text)) return {};
  return { say: 'Open the address in a browser on the machine where the service runs.' };
}

function elementNotFound({ failure: { text, detail }, derived }: Failed): Advice {
  const option = /\belement_to_convert\b/.test(text) ? 'element_to_convert' : 'wait_for_element';
  const thrown = derived.some(({ code, severity }) => code === 'script-error' && severity === 'error');
  const say = thrown
    ? 'A script of the page stopped with an error, see below: the element may be what it had still to make.'
    : 'Check the selector, and that the page shows the element without being clicked.';
  const longer = detail.stage === 'cut to the element to convert' ? ['wait_for_element'] : [];
  return { say, options: [...new Set([option, ...longer])] };
}

function outOfTime({ failure: { detail }, events }: Failed): Advice {
  const { stage } = detail;
  if (stage === 'wait for a window')
    return { say: 'All windows were busy so long; the operator can allow more of them (workers).' };
  const script = /^run ((?:custom|on_load)_javascript)$/.exec(stage)?.[1];
  if (script !== undefined)
    return { say: 'The script did not end, or what it promised did not come.', options: [script] };
  if (/^(print|capture|encode|finish|fit|look)\b/.test(stage))
    return { say: 'Split the document, or make it lighter: fewer elements, smaller images.' };
  return waitedFor(events);
}

function waitedFor(events: readonly LogEvent[]): Advice {
  const requests = eventsOf(events, 'request');
  const page = pageOf(requests);
  if (page !== undefined && isLate(page) && page.detail.from !== 'job')
    return { say: `The page itself, ${address(page.text)}, had not come by then.` };
  const open = requests.filter((request) => isLate(request) && request !== page);
  if (open.length > 0)
    return {
      say: `By then this had not come: ${listed(open, ({ text }) => address(text))}.`,
      options: ['max_loading_time'],
    };
  return {
    say: 'Nothing was on its way any more: a script kept the page busy, or there is too much to lay out.',
    options: ['disable_javascript'],
  };
}
