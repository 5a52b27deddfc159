/**
 * Reveals content that a page shows only when scrolled to: reports all targets of its intersection observers as
 * visible, and detects scroll listeners. Part of the page script `settling`.
 */
import { named } from './replacements.ts';

interface ObserverRecord {
  readonly observer: IntersectionObserver;
  readonly callback: IntersectionObserverCallback;
  readonly options: IntersectionObserverInit;
  readonly targets: Set<Element>;
}

/** A root margin that is larger than any page. */
const wholePage = '10000000px';
/**
 * Percent of the viewport's height. An observer whose root margin cuts off at least this much tracks which section is being read,
 * for example for a table of contents. It does not load content.
 */
const readingLinePercent = 60;
/** Matches elements that rounds after the first reveal wherever they are, such as the images of items that an earlier round added. */
const lazyMedia = 'img, iframe, video, source, [data-src], [data-srcset], [data-bg], [data-background-image]';

export class VisibilityTracker {
  readonly #NativeObserver = globalThis.IntersectionObserver;
  readonly #observed = new Map<IntersectionObserver, ObserverRecord>();
  readonly #visible = new WeakSet<Element>();
  readonly #revealed = new WeakSet<Element>();
  #isHolding = false;
  #revealObservers: IntersectionObserver[] = [];
  #rounds = 0;
  #scrollListeners = 0;
  #needsFrame = false;
  #hasReportedVisible = false;

  /** Installs the watchers. Call it before the page's scripts run. */
  install(): void {
    this.#installIntersection();
    this.#installResize();
    this.#installScroll();
  }

  /** Returns whether observers wait for the next browser frame, and resets this state. */
  takeNeedForFrame(): boolean {
    const needed = this.#needsFrame;
    this.#needsFrame = false;
    return needed;
  }

  /** Whether scripts listen to scroll events of the window or the document. */
  get listensToScroll(): boolean {
    return this.#scrollListeners > 0 || window.onscroll !== null || document.onscroll !== null;
  }

  /** The number of targets that have not been visible and that scrolling would make visible. */
  get hiddenCount(): number {
    return this.#hiddenTargets().reduce((all, { targets }) => all + targets.length, 0);
  }

  /** Until `releaseHold` is called, observers are not notified that visible targets have left the viewport. */
  holdVisible(): void {
    this.#isHolding = true;
  }

  /**
   * Reports all hidden targets to their observers as visible, each once. Chromium dispatches the reports in the next browser frame.
   */
  reveal(): void {
    const waiting = this.#hiddenTargets();
    this.#rounds += 1;
    this.holdVisible();
    for (const { observed, targets } of waiting) {
      const { callback, options, observer } = observed;
      const pageWideObserver = new this.#NativeObserver(
        (entries) => {
          const shown = entries.filter(
            ({ isIntersecting, target }) => isIntersecting && observed.targets.has(target),
          );
          if (shown.length > 0) callback.call(observer, shown, observer);
        },
        { rootMargin: wholePage, threshold: options.threshold ?? 0 },
      );
      this.#revealObservers.push(pageWideObserver);
      for (const target of targets) {
        this.#revealed.add(target);
        pageWideObserver.observe(target);
      }
    }
  }

  /**
   * Ends the effect of `reveal` and `holdVisible`. Observers of revealed targets get one more callback with the targets in the
   * viewport, because a table of contents marks the target that was reported last.
   */
  releaseHold(): void {
    this.#isHolding = false;
    for (const observer of this.#revealObservers) observer.disconnect();
    this.#revealObservers = [];
    if (this.#rounds === 0 || this.#hasReportedVisible) return;
    this.#hasReportedVisible = true;
    for (const { callback, options, observer, targets } of this.#observed.values()) {
      if (![...targets].some((target) => this.#revealed.has(target))) continue;
      const visible = new this.#NativeObserver((entries) => {
        const shown = entries.filter(({ isIntersecting }) => isIntersecting);
        visible.disconnect();
        if (shown.length > 0) callback.call(observer, shown, observer);
      }, options);
      for (const target of targets) visible.observe(target);
      this.#needsFrame = true;
    }
  }

  #hiddenTargets(): { readonly observed: ObserverRecord; readonly targets: readonly Element[] }[] {
    return [...this.#observed.values()].flatMap((observed) => {
      if (!isOfViewport(observed.options)) return [];
      const targets = [...observed.targets].filter(
        (target) =>
          !this.#visible.has(target) &&
          !this.#revealed.has(target) &&
          target.isConnected &&
          (this.#rounds === 0 || target.matches(lazyMedia) || this.#isInsideRevealed(target)),
      );
      return targets.length === 0 ? [] : [{ observed, targets }];
    });
  }

  /** Returns whether the target is part of content that an earlier round has revealed. The end marker of an endless list is outside. */
  #isInsideRevealed(target: Element): boolean {
    for (
      let node = target.parentNode;
      node !== null;
      node = node instanceof ShadowRoot ? node.host : node.parentNode
    )
      if (node instanceof Element && this.#revealed.has(node)) return true;
    return false;
  }

  #installIntersection(): void {
    const keep = (observed: ObserverRecord) => this.#observed.set(observed.observer, observed);
    const relevant = (entries: IntersectionObserverEntry[]) => this.#reportableEntries(entries);
    const prototype = this.#NativeObserver.prototype;
    const PageObserver = new Proxy(this.#NativeObserver, {
      construct(
        target,
        [callback, options]: ConstructorParameters<typeof IntersectionObserver>,
        newTarget: never,
      ) {
        const forward = (entries: IntersectionObserverEntry[], observer: IntersectionObserver) => {
          const reportable = relevant(entries);
          if (reportable.length > 0) callback.call(observer, reportable, observer);
        };
        const isCallable = typeof callback === 'function';
        const parameters = [isCallable ? forward : callback, options] as const;
        const observer: IntersectionObserver = Reflect.construct(target, parameters, newTarget);
        keep({ observer, callback, options: options ?? {}, targets: new Set() });
        return observer;
      },
    });
    Object.defineProperty(globalThis, 'IntersectionObserver', {
      value: PageObserver,
      writable: true,
      configurable: true,
    });
    const { observe, unobserve, disconnect } = prototype;
    const targetsOf = (observer: IntersectionObserver) => this.#observed.get(observer)?.targets;
    const needFrame = () => (this.#needsFrame = true);
    prototype.observe = named('observe', function (this: IntersectionObserver, target: Element) {
      observe.call(this, target);
      targetsOf(this)?.add(target);
      needFrame();
    });
    prototype.unobserve = named('unobserve', function (this: IntersectionObserver, target: Element) {
      unobserve.call(this, target);
      targetsOf(this)?.delete(target);
    });
    prototype.disconnect = named('disconnect', function (this: IntersectionObserver) {
      disconnect.call(this);
      targetsOf(this)?.clear();
    });
  }

  /** Returns the entries to report to the page. */
  #reportableEntries(entries: readonly IntersectionObserverEntry[]): IntersectionObserverEntry[] {
    return entries.filter(({ isIntersecting, target }) => {
      const isKnown = this.#isHolding && (this.#visible.has(target) || this.#revealed.has(target));
      // A target that new content has pushed out of the viewport may be reported again.
      if (isIntersecting) this.#visible.add(target);
      else if (!this.#isHolding) this.#visible.delete(target);
      return !isKnown;
    });
  }

  #installResize(): void {
    const { observe } = ResizeObserver.prototype;
    const needFrame = () => (this.#needsFrame = true);
    ResizeObserver.prototype.observe = named(
      'observe',
      function (this: ResizeObserver, target: Element, options?: ResizeObserverOptions) {
        observe.call(this, target, options);
        needFrame();
      },
    );
  }

  #installScroll(): void {
    const countListener = () => (this.#scrollListeners += 1);
    for (const target of [window, document]) {
      // Calls the method of the prototype, because libraries such as zone.js replace it there.
      const listen = (type: unknown, ...parameters: unknown[]) => {
        if (type === 'scroll') countListener();
        Reflect.apply(EventTarget.prototype.addEventListener, target, [type, ...parameters]);
      };
      Object.defineProperty(target, 'addEventListener', {
        value: named('addEventListener', listen as never),
        writable: true,
        configurable: true,
      });
    }
  }
}

/** Returns whether an observer watches the viewport, except for one that tracks the reading position. */
function isOfViewport({ root, rootMargin = '' }: IntersectionObserverInit): boolean {
  if (root !== undefined && root !== null && root !== document) return false;
  const [top = 0, , bottom = top] = rootMargin
    .split(/\s+/)
    .map((side) => (side.endsWith('%') ? parseFloat(side) : 0));
  return Math.min(0, top) + Math.min(0, bottom) > -readingLinePercent;
}
