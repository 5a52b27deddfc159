/**
 * `javascript_delay` when it is given; else a page that runs scripts gets up to 200 ms to fall quiet: no request under
 * way, no DOM change, an animation frame has run.
 */
import { pause } from '../../run.ts';
import { inPage } from '../in-page.ts';
import { listed } from '../late.ts';
import type { Loading, Work } from '../loading.ts';

const longest = 200;
/** What the page says must be here in time. */
const onTheWay = 15;

export function fallQuiet(loading: Loading): Work | undefined {
  const { source, run } = loading;
  const { javascript_delay } = run.job.options;
  if (javascript_delay !== undefined)
    return () => {
      run.log.because(`the ${javascript_delay} ms of javascript_delay were over`);
      return pause(javascript_delay, run.signal);
    };
  return source.scripts ? () => untilQuiet(loading) : undefined;
}

async function untilQuiet({ window, run }: Loading): Promise<void> {
  const { requests } = window.seat;
  const until = performance.now() + longest;
  let changed: string | undefined;
  do {
    changed = await Promise.race([
      inPage(window.contents, unchangedFrames, until - performance.now() - onTheWay),
      pause(until - performance.now(), run.signal).then(() => 'a script that leaves no time to look'),
    ]);
  } while (requests.underWay() > 0 && performance.now() < until);
  if (changed === undefined && performance.now() < until) {
    run.log.because('nothing was on its way and two frames had passed without a change');
    return;
  }
  const pending = listed(requests.pending());
  const cause = pending === '' ? (changed ?? 'the page') : pending;
  run.log.because(`${longest} ms were over; not quiet because of ${cause}`);
  // What is on its way may still come, and is noted when the page is taken.
  if (pending === '')
    run.log.note(
      `The page was not quiet ${longest} ms after it had loaded and was taken as it stood: ${cause} went on changing it.`,
      { code: 'not-quiet', options: ['javascript_delay', 'wait_for_element'] },
    );
}

/**
 * Resolves after two animation frames in a row without a change of the document, or when patience (milliseconds) ends: with
 * the element that changed last, then.
 */
function unchangedFrames(patience: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let changed: Node | undefined;
    let last: Node | undefined;
    let quiet = 0;
    const until = performance.now() + patience;
    const observer = new MutationObserver((records) => {
      changed = records.at(-1)?.target;
      last = changed;
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const nameOf = (node: Node | undefined): string => {
      const element = node instanceof Element ? node : node?.parentElement;
      if (!element) return 'the page';
      const id = element.id === '' ? '' : `#${element.id}`;
      return `<${element.localName}${id}>`.slice(0, 80);
    };
    const frame = () => {
      quiet = changed === undefined ? quiet + 1 : 0;
      changed = undefined;
      const late = performance.now() >= until;
      if (quiet <= 2 && !late) {
        requestAnimationFrame(frame);
        return;
      }
      observer.disconnect();
      resolve(late && quiet <= 2 ? nameOf(last) : undefined);
    };
    requestAnimationFrame(frame);
  });
}
