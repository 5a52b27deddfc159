/**
 * `javascript_delay` when it is given; else a page that runs scripts gets up to 200 ms to fall quiet: no request under
 * way, no DOM change, an animation frame has run.
 */
import { pause } from '../../run.ts';
import { inPage } from '../in-page.ts';
import type { Loading } from '../loading.ts';

const longest = 200;

export async function fallQuiet({ window, source, run }: Loading): Promise<void> {
  const { javascript_delay } = run.job.options;
  if (javascript_delay !== undefined) {
    await pause(javascript_delay, run.signal);
    return;
  }
  if (!source.scripts) return;
  const until = performance.now() + longest;
  do {
    await Promise.race([
      inPage(window.contents, unchangedFrames, longest),
      pause(until - performance.now(), run.signal),
    ]);
  } while (window.seat.requests.underWay() > 0 && performance.now() < until);
  if (performance.now() >= until)
    run.log.note(
      `Not quiet after ${longest} ms; pending: ${window.seat.requests.pending().join(' ') || 'changes of the page'}`,
    );
}

/** Resolves after two animation frames in a row without a change of the document, or when patience (milliseconds) ends. */
function unchangedFrames(patience: number): Promise<void> {
  return new Promise((resolve) => {
    let changed = false;
    let quiet = 0;
    const until = performance.now() + patience;
    const observer = new MutationObserver(() => (changed = true));
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const frame = () => {
      quiet = changed ? 0 : quiet + 1;
      changed = false;
      if (quiet <= 2 && performance.now() < until) {
        requestAnimationFrame(frame);
        return;
      }
      observer.disconnect();
      resolve();
    };
    requestAnimationFrame(frame);
  });
}
