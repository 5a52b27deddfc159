/** Ends the loading of a page that takes too long, with as much of it there as can be. */
import type { Event, WebContents, WebContentsDidStartNavigationEventParams } from 'electron';
import { listed } from './late.ts';
import type { Loading } from './loading.ts';

export interface Stopping {
  readonly begin: () => void;
  readonly begun: () => boolean;
  readonly end: () => void;
}

/** Milliseconds for what has begun to come when loading is over, so that it is not stopped with nothing of it there. */
const lastMoment = 500;

/**
 * Stops loading as soon as a whole document is there, from `begin` on. A page that reloads itself is between two documents
 * most of the time, and stopped there it would be empty; so from then to the end it may begin to go nowhere. `shown`: a
 * document is there already.
 */
export function stoppingLate(loading: Loading, shown: boolean): Stopping {
  const { window } = loading;
  const wasFrozen = window.frozen;
  const state: { late: boolean; stopped: boolean; last?: NodeJS.Timeout } = { late: false, stopped: false };
  const stop = () => {
    clearTimeout(state.last);
    if (!state.stopped) stopLoading(loading);
    state.stopped = true;
  };
  const stopWhenWhole = () => {
    if (state.late && there.parsed && !there.going) stop();
  };
  const there = watchDocument(window.contents, shown, stopWhenWhole);
  return {
    begin() {
      state.late = true;
      window.frozen = true;
      // A document may go on arriving for ever, or wait for a script that never comes, and is shown as far as it has. Where none has
      // come there is nothing to convert; it is waited for, up to the job limit.
      state.last = setTimeout(() => {
        if (there.committed) stop();
      }, lastMoment);
      stopWhenWhole();
    },
    begun: () => state.late,
    end() {
      clearTimeout(state.last);
      window.frozen = wasFrozen;
      there.end();
    },
  };
}

interface DocumentWatch {
  /** One is there, and it is there to its end. */
  readonly committed: boolean;
  readonly parsed: boolean;
  /** Another may be on its way. */
  readonly going: boolean;
  readonly end: () => void;
}

function watchDocument(contents: WebContents, shown: boolean, onChange: () => void): DocumentWatch {
  const state = { committed: shown, parsed: shown, going: true };
  const onStart = ({ isMainFrame, isSameDocument }: Event<WebContentsDidStartNavigationEventParams>) => {
    if (isMainFrame && !isSameDocument) state.going = true;
  };
  const onCommit = () => {
    Object.assign(state, { committed: true, parsed: false, going: false });
  };
  const onParsed = () => {
    state.parsed = true;
    onChange();
  };
  const onNothing = (_event: unknown, _code: number, ...[, , isMainFrame]: [string, string, boolean]) => {
    if (isMainFrame) state.going = false;
    onChange();
  };
  contents.on('did-start-navigation', onStart).on('did-navigate', onCommit);
  contents.on('dom-ready', onParsed).on('did-fail-provisional-load', onNothing);
  const end = () => {
    contents.off('did-start-navigation', onStart).off('did-navigate', onCommit);
    contents.off('dom-ready', onParsed).off('did-fail-provisional-load', onNothing);
  };
  return Object.assign(state, { end });
}

function stopLoading({ window, run }: Loading): void {
  const { requests } = window.seat;
  const why = run.job.options.max_loading_time === undefined ? 'half of the job limit' : 'max_loading_time';
  const missing = listed(requests.pending()) || 'nothing that is known by its address';
  run.log.because(`${why} was over; still missing: ${missing}`);
  run.log.note(
    `The page was still loading after ${why} and was taken as it stood. This did not arrive in time: ${missing}.`,
    { code: 'late-resources', options: ['max_loading_time'] },
  );
  requests.giveUp();
  window.contents.stop();
}
