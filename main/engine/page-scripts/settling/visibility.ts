/**
 * Reveals content that a page shows only when scrolled to: reports all targets of its intersection observers as
 * visible, whatever their margins and thresholds, and detects scroll listeners. Part of the page script `settling`.
 */
import { named } from './replacements.ts';
import { ChangeRecord, hideRevealedOverlays } from './scrolling.ts';

interface ObserverRecord {
  readonly observer: IntersectionObserver;
  readonly callback: IntersectionObserverCallback;
  readonly options: IntersectionObserverInit;
  readonly targets: Set<Element>;
  /** The targets that have been visible as far as the observer asks for. */
  readonly visible: WeakSet<Element>;
  /** The targets that were reported as visible. */
  readonly revealed: WeakSet<Element>;
  /** The entries of these reports since the last `releaseHold`. */
  readonly reports: Map<Element, IntersectionObserverEntry>;
}

/** A root margin that is larger than any page. */
const wholePage = '10000000px';
/** Rounds that reveal added elements: those inside revealed ones, and media. */
const maxAddedRounds = 4;
/** Matches media, which these rounds reveal wherever they are, such as the images of items that an earlier round added. */
const lazyMedia = 'img, iframe, video, source, [data-src], [data-srcset], [data-bg], [data-background-image]';

export class VisibilityTracker {
  readonly #NativeObserver = globalThis.IntersectionObserver;
  readonly #observed = new Map<IntersectionObserver, ObserverRecord>();
  readonly #revealed = new WeakSet<Element>();
  /** The elements that scripts have added because of reports. */
  readonly #added = new WeakSet<Element>();
  #isHolding = false;
  #revealObservers: IntersectionObserver[] = [];
  #rounds = 0;
  /** What has changed since the first report; undefined if there was none since `releaseHold`. */
  #record: ChangeRecord | undefined;
  #animationsBefore = new Set<Animation>();
  #scrollListeners = 0;
  #needsFrame = false;

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
    if (this.#record === undefined) this.#animationsBefore = new Set(document.getAnimations());
    this.#record ??= new ChangeRecord();
    for (const { observed, targets } of waiting) {
      const { callback, options, observer, revealed, reports } = observed;
      const pageWideObserver = new this.#NativeObserver(
        (entries) => {
          const shown = entries.filter(
            ({ isIntersecting, target }) => isIntersecting && observed.targets.has(target),
          );
          for (const entry of shown) reports.set(entry.target, entry);
          if (shown.length > 0) callback.call(observer, shown, observer);
        },
        { root: options.root ?? null, rootMargin: wholePage, threshold: options.threshold ?? 0 },
      );
      this.#revealObservers.push(pageWideObserver);
      for (const target of targets) {
        this.#revealed.add(target);
        revealed.add(target);
        pageWideObserver.observe(target);
      }
    }
  }

  /**
   * Ends the effect of `reveal` and `holdVisible`, and hides what has opened over the page. `changed`: the nodes that have changed since
   * `reveal`. Observers of revealed targets get the true state of targets that their callback has not changed: the page uses these to
   * follow the reading position, for example in a table of contents, or to load more items.
   */
  releaseHold(changed: ReadonlySet<Node>): void {
    this.#isHolding = false;
    for (const observer of this.#revealObservers) observer.disconnect();
    this.#revealObservers = [];
    if (this.#record === undefined) return;
    this.#record.end();
    for (const element of this.#record.added) this.#added.add(element);
    hideRevealedOverlays(this.#record);
    this.#record = undefined;
    const isChanged = changedContent(changed, this.#animationsBefore);
    for (const observed of this.#observed.values()) this.#reportTrueState(observed, isChanged);
  }

  #reportTrueState(observed: ObserverRecord, isChanged: (target: Element) => boolean): void {
    const { callback, options, observer, targets } = observed;
    const reported = [...observed.reports].filter(([target]) => targets.has(target));
    observed.reports.clear();
    if (reported.length === 0) return;
    const unchanged = new Map(reported.filter(([target]) => !isChanged(target)));
    const current = new this.#NativeObserver((entries) => {
      current.disconnect();
      const hidden = entries.filter(({ isIntersecting, target }) => !isIntersecting && unchanged.has(target));
      if (hidden.length > 0) callback.call(observer, hidden, observer);
      const shown = entries.filter(({ isIntersecting }) => isIntersecting);
      // A table of contents that only marks what becomes visible would keep its last entry marked.
      const [first] = unchanged.values();
      if (shown.length === 0 && unchanged.size > 1 && first !== undefined) shown.push(first);
      if (shown.length > 0) callback.call(observer, shown, observer);
    }, options);
    for (const target of targets) current.observe(target);
    this.#needsFrame = true;
  }

  #hiddenTargets(): { readonly observed: ObserverRecord; readonly targets: readonly Element[] }[] {
    return [...this.#observed.values()].flatMap((observed) => {
      const targets = [...observed.targets].filter((target) => this.#isHidden(target, observed));
      return targets.length === 0 ? [] : [{ observed, targets }];
    });
  }

  #isHidden(target: Element, { visible, revealed }: ObserverRecord): boolean {
    if (visible.has(target) || revealed.has(target) || !target.isConnected) return false;
    // Endless lists observe items that they have added.
    if (this.#rounds === 0 || !isInside(target, (element) => this.#isAdded(element))) return true;
    if (this.#rounds >= maxAddedRounds) return false;
    return (
      target.matches(lazyMedia) ||
      isInside(target, (element) => element !== target && this.#revealed.has(element))
    );
  }

  #isAdded(element: Element): boolean {
    return this.#added.has(element) || this.#record?.added.has(element) === true;
  }

  #installIntersection(): void {
    const keep = (observed: ObserverRecord) => this.#observed.set(observed.observer, observed);
    const reportableEntries = this.#reportableEntries.bind(this);
    const prototype = this.#NativeObserver.prototype;
    const PageObserver = new Proxy(this.#NativeObserver, {
      construct(
        target,
        [callback, options]: ConstructorParameters<typeof IntersectionObserver>,
        newTarget: never,
      ) {
        const forward = (entries: IntersectionObserverEntry[]) => {
          const reportable = reportableEntries(entries, observed);
          if (reportable.length > 0) callback.call(observer, reportable, observer);
        };
        const isCallable = typeof callback === 'function';
        const parameters = [isCallable ? forward : callback, options] as const;
        const observer: IntersectionObserver = Reflect.construct(target, parameters, newTarget);
        const observed = {
          observer,
          callback,
          options: options ?? {},
          targets: new Set<Element>(),
          visible: new WeakSet<Element>(),
          revealed: new WeakSet<Element>(),
          reports: new Map<Element, IntersectionObserverEntry>(),
        };
        keep(observed);
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
  #reportableEntries(
    entries: readonly IntersectionObserverEntry[],
    { observer, visible, revealed }: ObserverRecord,
  ): IntersectionObserverEntry[] {
    const fullRatio = Math.max(...observer.thresholds);
    return entries.filter(({ isIntersecting, intersectionRatio, target }) => {
      const isKnown = this.#isHolding && (visible.has(target) || revealed.has(target));
      // A target that new content has pushed out of the viewport may be reported again.
      if (isIntersecting && intersectionRatio >= fullRatio) visible.add(target);
      else if (!this.#isHolding) visible.delete(target);
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

/** Returns whether the element or one of its ancestors, also outside its shadow tree, has the property. */
function isInside(element: Element, has: (ancestor: Element) => boolean): boolean {
  for (let node: Node | null = element; node !== null; node = parentOf(node))
    if (node instanceof Element && has(node)) return true;
  return false;
}

function parentOf(node: Node): Node | null {
  return node instanceof ShadowRoot ? node.host : node.parentNode;
}

/**
 * Returns a predicate: whether a script has changed or animated an element, something in it, or one of its ancestors inside `body`.
 * `before`: the animations that are not new.
 */
function changedContent(
  changed: ReadonlySet<Node>,
  before: ReadonlySet<Animation>,
): (element: Element) => boolean {
  const animated = document
    .getAnimations()
    .flatMap((animation) =>
      before.has(animation) ? [] : [(animation.effect as KeyframeEffect | null)?.target],
    );
  const nodes = new Set<Node>([...changed, ...animated.filter((target) => target instanceof Element)]);
  const withAncestors = new Set<Node>();
  for (const start of nodes)
    for (let node: Node | null = start; node !== null && !withAncestors.has(node); node = parentOf(node))
      withAncestors.add(node);
  const { body, documentElement } = document;
  return (element) =>
    withAncestors.has(element) ||
    isInside(element, (ancestor) => ancestor !== body && ancestor !== documentElement && nodes.has(ancestor));
}
