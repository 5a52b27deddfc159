/**
 * `javascript_delay` when it is given; else a page that runs scripts gets up to 200 ms to fall quiet: no request under
 * way, no DOM change, an animation frame has run.
 */
import { pause } from '../../signals.ts';
import { inPage } from '../in-page.ts';
import { listed } from '../late.ts';
import type { Loading, Work } from '../loading.ts';

const longest = 200;
/** How long a page may take to say what changes it. */
const patience = 100;

export function fallQuiet(loading: Loading): Work | undefined {
  const { source, run } = loading;
  const { javascript_delay } = run.job.options;
  if (javascript_delay !== undefined)
    return async () => {
      await pause(javascript_delay, run.signal);
      run.log.because(`the ${javascript_delay} ms of javascript_delay were over`);
    };
  return source.scripts ? () => untilQuiet(loading) : undefined;
}

async function untilQuiet({ window, run }: Loading): Promise<void> {
  const { requests } = window.seat;
  const until = performance.now() + longest;
  let quiet: boolean;
  if (requests.underWay() === 0) run.stepAside();
  do {
    quiet = await Promise.race([
      inPage(window.contents, unchangedFrames, longest),
      pause(until - performance.now(), run.signal).then(() => false),
    ]);
  } while (requests.underWay() > 0 && performance.now() < until);
  if (quiet && performance.now() < until) {
    run.log.because('nothing was on its way and two frames had passed without a change');
    return;
  }
  const pending = listed(requests.pending());
  const restless = pending === '' && run.log.recorded ? await restlessElement({ window, run }) : '';
  run.log.because(`${longest} ms were over; not quiet because of ${pending || restless}`);
  // What is on its way may still come, and is noted when the page is taken.
  if (restless !== '')
    run.log.note(
      `The page was not quiet ${longest} ms after it had loaded and was taken as it stood: ${restless} went on changing it.`,
      { code: 'not-quiet', options: ['javascript_delay', 'wait_for_element'] },
    );
}

function restlessElement({ window, run }: Pick<Loading, 'window' | 'run'>): Promise<string> {
  return Promise.race([
    inPage(window.contents, nameOfChanged),
    pause(patience, run.signal).then(() => 'a script that leaves no time to look'),
  ]);
}

/** In our world of the page: what changed last. */
interface Watched {
  platenChanged?: Node | undefined;
}

/** Resolves after two animation frames in a row without a change of the document, or, with false, when patience (milliseconds) ends. */
function unchangedFrames(patience: number): Promise<boolean> {
  return new Promise((resolve) => {
    const scope = globalThis as Watched;
    let changed = false;
    const wanted = 2;
    let quiet = 0;
    const until = performance.now() + patience;
    const observer = new MutationObserver((records) => {
      changed = true;
      scope.platenChanged = records.at(-1)?.target;
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const frame = () => {
      quiet = changed ? 0 : quiet + 1;
      changed = false;
      if (quiet < wanted && performance.now() < until) {
        requestAnimationFrame(frame);
        return;
      }
      observer.disconnect();
      resolve(quiet >= wanted);
    };
    requestAnimationFrame(frame);
  });
}

function nameOfChanged(): string {
  const node = (globalThis as Watched).platenChanged;
  const element = node instanceof Element ? node : node?.parentElement;
  if (!element) return 'a script of the page';
  const id = element.id === '' ? '' : `#${element.id}`;
  return `<${element.localName}${id}>`.slice(0, 80);
}
