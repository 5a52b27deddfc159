/** What was still to come when a page was taken as it stood: said in the job's log, because it is missing in the result. */
import { gather } from './gather.ts';
import type { Loading } from './loading.ts';
import type { Planned } from './programs/timers.ts';
import { withShownAddresses } from './shown-address.ts';

/** Options that let a page take longer. */
export const patientOptions = ['javascript_delay', 'wait_for_element', 'max_loading_time'] as const;

const mostListed = 5;

/** Addresses, as they are shown, in a sentence. */
export function listed(addresses: readonly string[]): string {
  const shown = addresses.slice(0, mostListed);
  const more = addresses.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Notes what is on its way, and what scripts have planned. Costs nothing when the log is not recorded. */
export async function noteWhatIsLate({ window, source, run }: Loading): Promise<void> {
  if (!run.log.recorded) return;
  const pending = listed(window.seat.requests.pending());
  if (pending !== '') {
    const text = `The page was taken as it stood while this was still on its way: ${pending}. What it brings is not in the result.`;
    run.log.note(text, { code: 'late-resources', options: patientOptions });
  }
  if (!source.scripts || run.job.options.disable_javascript) return;
  const said = await gather(run, 'look for what is planned', async (): Promise<unknown> =>
    window.contents.executeJavaScript(askForTimers),
  );
  const [next, ...more] = plausible(said);
  if (next !== undefined) notePlanned(run, next, more.length);
}

function notePlanned({ log }: Loading['run'], { due, delay, from }: Planned, more: number): void {
  const callers = /^(custom_javascript|on_load_javascript):/.exec(from)?.[1];
  const advice =
    callers === undefined
      ? `javascript_delay=${delay} would wait for it`
      : `let ${callers} end with a promise, which is waited for`;
  const others = more === 0 ? '' : ` and ${more} more time${more === 1 ? '' : 's'} after that`;
  log.note(
    `The page was taken as it stood while a script was to run again ${due} ms later (set in ${from})${others}. It may change the page, or not; ${advice}.`,
    {
      code: 'late-changes',
      options: callers === undefined ? ['javascript_delay', 'wait_for_element'] : [callers],
    },
  );
}

/** See programs/timers.ts. */
const askForTimers = "globalThis[Symbol.for('platen.timers')]?.()";

/** The page's scripts can make it say anything. */
function plausible(said: unknown): Planned[] {
  if (!Array.isArray(said)) return [];
  return (said as unknown[]).slice(0, 100).flatMap((entry) => {
    const { due, delay, from } = { ...(entry as Partial<Record<keyof Planned, unknown>> | null) };
    const sound = typeof due === 'number' && typeof delay === 'number' && typeof from === 'string';
    return sound ? [{ due, delay, from: withShownAddresses(from.slice(0, 200)) }] : [];
  });
}
