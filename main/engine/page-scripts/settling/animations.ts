/**
 * Tracks and ends the finite animations and transitions of a document (Web Animations). Part of the page script
 * `settling`.
 */

/** Animations that end at most this many milliseconds apart are finished together, because each end takes a browser frame. */
const sameEndMs = 50;
/** Animations that end at most this many milliseconds after the limit are shown in their final state. */
const nearEndMs = 1500;

/** A running animation, and its state when it was found. */
interface RunningAnimation {
  readonly animation: Animation;
  /** Page time when the animation was found, in milliseconds. */
  readonly seenAt: number;
  /** The animation's `currentTime` when it was found, in milliseconds. */
  readonly positionThen: number;
  /** Page time at which the animation ends, in milliseconds; Infinity if it is endless. */
  readonly end: number;
}

export class AnimationTracker {
  readonly #known = new WeakMap<Animation, RunningAnimation>();
  readonly #roots: () => readonly DocumentOrShadowRoot[];
  #running: RunningAnimation[] = [];
  #followsScrolling = false;

  /** `roots` returns the document and its shadow trees. */
  constructor(roots: () => readonly DocumentOrShadowRoot[]) {
    this.#roots = roots;
  }

  /** Finds the running animations. `now` is page time. */
  update(now: number): void {
    this.#running = [];
    this.#followsScrolling = false;
    for (const root of this.#roots())
      for (const animation of root.getAnimations()) {
        this.#followsScrolling ||= followsScrolling(animation);
        const left = timeLeft(animation);
        if (left === undefined) continue;
        const positionThen = Number(animation.currentTime ?? 0);
        const running = this.#known.get(animation) ?? {
          animation,
          seenAt: now,
          positionThen,
          end: now + left,
        };
        this.#known.set(animation, running);
        this.#running.push(running);
      }
  }

  /** Whether an animation found by the last update follows scrolling (CSS Scroll-driven Animations 1). */
  get followsScrolling(): boolean {
    return this.#followsScrolling;
  }

  /** Page time at which the first running animation ends; undefined if none ends. */
  get nextEnd(): number | undefined {
    const first = this.#running.reduce((earliest, { end }) => Math.min(earliest, end), Infinity);
    return first === Infinity ? undefined : first;
  }

  /** Returns the position of a running animation at the page time `now`; undefined if it is not tracked or not running. */
  positionOf(animation: Animation, now: number): number | undefined {
    const known = this.#known.get(animation);
    if (known === undefined || animation.playState !== 'running') return undefined;
    const { playbackRate } = animation;
    return known.positionThen + (Math.min(now, known.end) - known.seenAt) * playbackRate;
  }

  /** Call this when a script has moved an animation. */
  forget(animation: Animation): void {
    this.#known.delete(animation);
  }

  /** The number of running animations that have not been finished. */
  get runningCount(): number {
    return this.#running.length;
  }

  /** Finishes the animations that end by the page time `time`. Their events are dispatched in the next browser frame. */
  finishUntil(time: number): void {
    const due = this.#running.filter(({ end }) => end <= time + sameEndMs);
    this.#running = this.#running.filter(({ end }) => end > time + sameEndMs);
    for (const { animation } of due)
      ignoreErrors(() => {
        animation.finish();
      });
  }

  /** Moves running animations to the current page time, and finishes those that are about to end. */
  catchUp(now: number): void {
    for (const { animation, seenAt, positionThen, end } of this.#running)
      ignoreErrors(() => {
        if (end <= now + nearEndMs) animation.finish();
        else animation.currentTime = positionThen + (now - seenAt) * animation.playbackRate;
      });
  }
}

function followsScrolling({ timeline }: Animation): boolean {
  return timeline !== null && !(timeline instanceof DocumentTimeline);
}

/** Runs `work` and ignores its errors, because an animation may have lost its target or its end. */
function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The animation stays unchanged.
  }
}

/**
 * Returns the milliseconds until an animation ends; Infinity if it is endless. Returns undefined if the animation is not running,
 * or if its timeline is not a clock, as that of scrolling is not.
 */
function timeLeft(animation: Animation): number | undefined {
  const { effect, timeline, playState, playbackRate } = animation;
  const isRunning = playState === 'running' && playbackRate !== 0;
  if (!isRunning || !(timeline instanceof DocumentTimeline) || effect === null) return undefined;
  const at = Number(animation.currentTime ?? 0);
  const end = Number(effect.getComputedTiming().endTime);
  return Math.max(0, playbackRate > 0 ? end - at : at) / Math.abs(playbackRate);
}

// Advances declarative SVG animations (SMIL: `animate`, `set`) with page time.

const svgNamespace = 'http://www.w3.org/2000/svg';
const names = ['animate', 'animateTransform', 'animateMotion', 'set'] as const;

export class SmilClock {
  /** Live collections, so that checks cost no time in a page without such elements. */
  readonly #elements = names.map((name) => document.getElementsByTagNameNS(svgNamespace, name));
  /** Milliseconds by which the timeline of each SVG is ahead of page time. */
  readonly #offsets = new WeakMap<SVGSVGElement, number>();

  /** Returns the page time at which the first running or future animation ends; undefined if none does. */
  nextEnd(now: number): number | undefined {
    let first = Infinity;
    for (const element of this.#animationElements()) {
      const svg = outermost(element);
      if (svg === undefined) continue;
      const end = endOf(element) - this.#offsetOf(svg, now);
      if (end > now && end < first) first = end;
    }
    return first === Infinity ? undefined : first;
  }

  /** The number of endless animations. */
  get endless(): number {
    return this.#animationElements().filter((element) => endOf(element) === Infinity).length;
  }

  /** Moves the timelines of all SVGs that are not paused to the current page time. */
  seek(now: number): void {
    for (const svg of new Set(this.#animationElements().map(outermost)))
      if (svg !== undefined && !svg.animationsPaused())
        svg.setCurrentTime((now + this.#offsetOf(svg, now)) / 1000);
  }

  #animationElements(): SVGAnimationElement[] {
    return this.#elements.flatMap((list) => (list.length === 0 ? [] : ([...list] as SVGAnimationElement[])));
  }

  #offsetOf(svg: SVGSVGElement, now: number): number {
    const offset = this.#offsets.get(svg) ?? svg.getCurrentTime() * 1000 - now;
    this.#offsets.set(svg, offset);
    return offset;
  }
}

function outermost(element: Element): SVGSVGElement | undefined {
  let found: SVGSVGElement | undefined;
  for (let at: Element | null = element; at !== null; at = at.parentElement)
    if (at instanceof SVGSVGElement) found = at;
  return found;
}

/**
 * Returns the time at which the animation ends, in milliseconds of the SVG's timeline. Returns Infinity if the animation is
 * endless, and 0 if it has no start time, for example because it waits for an event.
 */
function endOf(element: SVGAnimationElement): number {
  const start = millisecondsOf(() => element.getStartTime());
  if (start === undefined) return 0;
  const duration = millisecondsOf(() => element.getSimpleDuration());
  // A `set` without a duration only changes the value at its start.
  if (duration === undefined) return start;
  const count = element.getAttribute('repeatCount');
  if (count === 'indefinite' || element.hasAttribute('repeatDur')) return Infinity;
  return start + duration * (Number(count) || 1);
}

/** Returns a time in milliseconds; undefined if the animation has no such time (SVG 1.1, 19.2.15). */
function millisecondsOf(read: () => number): number | undefined {
  try {
    const seconds = read();
    return Number.isFinite(seconds) ? seconds * 1000 : undefined;
  } catch {
    return undefined;
  }
}
