/**
 * Notices that somebody answers no longer. Turns of a timer are counted, not time: a machine that slept, or a launcher that
 * was stopped, has one turn when it wakes, whatever its clocks say.
 */

export interface Silence extends Disposable {
  /** To be called with each answer. */
  readonly answered: () => void;
}

interface Asking {
  readonly ask: () => void;
  /** Milliseconds without an answer after which `onSilent` is called, once. */
  readonly patience: number;
  readonly onSilent: () => void;
}

const turnsOfPatience = 12;

/** Asks at once and, whenever the last question was answered, again and again. */
export function watchForSilence({ ask, patience, onSilent }: Asking): Silence {
  let unanswered = 0;
  const turn = () => {
    // One question at a time: who hangs does not find a heap of them afterwards.
    if (unanswered === 0) ask();
    unanswered += 1;
    if (unanswered === turnsOfPatience + 1) onSilent();
  };
  const timer = setInterval(turn, patience / turnsOfPatience);
  turn();
  return {
    answered() {
      unanswered = 0;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
}
