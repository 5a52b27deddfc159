/** Notes in the debug log what was still pending when a page was converted, because it is missing in the output. */
import { gather } from '../diagnostics/diagnostics-budget.ts';
import type { Loading } from './loading.ts';
import type { DelayedTimer } from '../page-scripts/settling.ts';
import { isLongPoll } from '../page-scripts/settling/polling.ts';
import { withShownAddresses } from '../requests/shown-address.ts';

/** Options that give a page more time. */
const waitingOptions = ['settle_limit', 'javascript_delay', 'wait_for_element', 'max_loading_time'] as const;

const maxListed = 5;

/** Joins the first addresses for a sentence and counts the rest. */
export function listed(addresses: readonly string[]): string {
  const shown = addresses.slice(0, maxListed);
  const more = addresses.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Notes pending requests and scheduled timers. Does nothing if the log is not recorded. */
export async function notePendingWork({ window, source, run }: Loading): Promise<void> {
  if (!run.log.recorded) return;
  const pending = listed(window.context.requests.pending().filter((address) => !isLongPoll(address)));
  if (pending !== '') {
    const text = `The page was converted while these requests were still pending: ${pending}. Their content is missing in the output.`;
    run.log.note(text, { code: 'late-resources', options: waitingOptions });
  }
  if (!source.scripts || run.job.options.disable_javascript) return;
  const answer = await gather(run, 'look for what is planned', async (): Promise<unknown> =>
    window.contents.executeJavaScript(timersCode),
  );
  const [next, ...more] = validTimers(answer);
  if (next !== undefined) noteTimers(run, next, more.length);
}

function noteTimers({ log }: Loading['run'], { due, delay, from }: DelayedTimer, more: number): void {
  const scriptOption = /^(custom_javascript|on_load_javascript):/.exec(from)?.[1];
  const advice =
    scriptOption === undefined
      ? `To wait for it, set settle_limit=${delay} or javascript_delay=${delay}`
      : `To wait for it, end ${scriptOption} with a promise`;
  const others = more === 0 ? '' : ` and ${more} more time${more === 1 ? '' : 's'} after that`;
  log.note(
    `The page was converted while a timer set in ${from} was due ${due} ms later${others}. Its script may change the page. ${advice}.`,
    {
      code: 'late-changes',
      options:
        scriptOption === undefined
          ? ['settle_limit', 'javascript_delay', 'wait_for_element']
          : [scriptOption],
    },
  );
}

/** See page-scripts/settling.ts. */
const timersCode = "globalThis[Symbol.for('platen.settling')]?.later()";

/** Validates the answer, because the page's scripts can forge it. */
function validTimers(answer: unknown): DelayedTimer[] {
  if (!Array.isArray(answer)) return [];
  return (answer as unknown[]).slice(0, 100).flatMap((entry) => {
    const { due, delay, from } = { ...(entry as Partial<Record<keyof DelayedTimer, unknown>> | null) };
    const isValid = typeof due === 'number' && typeof delay === 'number' && typeof from === 'string';
    return isValid ? [{ due, delay, from: withShownAddresses(from.slice(0, 200)) }] : [];
  });
}
