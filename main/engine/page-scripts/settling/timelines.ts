/**
 * Makes clocks other than `Date` and `performance.now` follow page time: `document.timeline`, the positions of animations, and the times
 * of events. Part of the page script `settling`.
 */
import type { AnimationTracker } from './animations.ts';
import type { PageClock } from './clock.ts';
import { replaceGetter, replaceSetter } from './replacements.ts';

let isInstalled = false;

/**
 * Installs these clocks, once. Call it before page time first differs from real time: creating the classes takes a fifth of a millisecond,
 * which a document without timers does not need to pay.
 */
export function installTimelines(clock: PageClock, animations: AnimationTracker): void {
  if (isInstalled) return;
  isInstalled = true;
  const aheadMs = () => clock.now() - clock.realNow();
  replaceGetter(Event.prototype, 'timeStamp', (native) => {
    return function (this: unknown) {
      return Number(Reflect.apply(native, this, [])) + aheadMs();
    };
  });
  // Chromium updates its timelines once in a browser frame; the frames of page time are others.
  replaceGetter(AnimationTimeline.prototype, 'currentTime', (native) => {
    return function (this: unknown) {
      const time = Reflect.apply(native, this, []);
      if (typeof time !== 'number') return time;
      return this === document.timeline ? clock.now() : time + aheadMs();
    };
  });
  const { prototype } = Animation;
  replaceGetter(prototype, 'currentTime', (native) => {
    return function (this: unknown) {
      const time = Reflect.apply(native, this, []);
      return animations.positionOf(this as Animation, clock.now()) ?? time;
    };
  });
  replaceSetter(prototype, 'currentTime', (native) => {
    return function (this: unknown, ...parameters: unknown[]) {
      Reflect.apply(native, this, parameters);
      animations.forget(this as Animation);
    };
  });
  replaceGetter(prototype, 'startTime', (native) => {
    return function (this: unknown) {
      const time = Reflect.apply(native, this, []);
      const animation = this as Animation;
      const position = animations.positionOf(animation, clock.now());
      return position === undefined ? time : clock.now() - position / animation.playbackRate;
    };
  });
  replaceSetter(prototype, 'startTime', (native) => {
    return function (this: unknown, time: unknown) {
      const isClock = (this as Animation).timeline instanceof DocumentTimeline && typeof time === 'number';
      Reflect.apply(native, this, [isClock ? time - aheadMs() : time]);
      animations.forget(this as Animation);
    };
  });
}
