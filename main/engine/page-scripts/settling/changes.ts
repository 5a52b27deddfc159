/**
 * Detects changes to a document: to its nodes, including those in shadow trees, to its canvases, fields and scroll positions. Part
 * of the page script `settling`.
 */
import { watchCanvases } from './canvases.ts';
import { FieldValues } from './field-values.ts';
import { named } from './replacements.ts';
import { watchScrolling } from './scripted-scrolling.ts';

export class ChangeTracker {
  readonly #onAdded: (node: Node) => void;
  readonly #shadowRoots: WeakRef<ShadowRoot>[] = [];
  readonly #observer: MutationObserver;
  readonly #fields = new FieldValues();
  #count = 0;
  #isWatching = false;
  #hasSearchedRoots = false;
  #hasScrolled = false;
  #drawsWebGl = false;
  #lastChanged: WeakRef<Node> | undefined;
  readonly #drawnCanvases = new WeakSet<object>();
  readonly #movedBars = new WeakSet<Node>();
  /** The nodes that have changed, while they are recorded. */
  #nodes: Set<Node> | undefined;

  /** `onAdded` is called with each node added while changes are watched. */
  constructor(onAdded: (node: Node) => void) {
    this.#onAdded = onAdded;
    this.#observer = new MutationObserver((records) => {
      this.#countRecords(records);
    });
  }

  /** Installs the watchers. Call it before the page's scripts run. */
  install(): void {
    this.#installShadowRoots();
    watchCanvases((canvas, isWebGl) => {
      this.#drawsWebGl ||= isWebGl;
      this.#drawnCanvases.add(canvas);
      this.#countChange(canvas);
    });
    watchScrolling((target) => {
      this.#hasScrolled = true;
      this.#countChange(target);
    });
  }

  /** Watches the document until `unwatch` is called. */
  watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    if (!this.#hasSearchedRoots) this.#findDeclaredRoots(document);
    this.#hasSearchedRoots = true;
    this.#observe(document);
    for (const root of this.shadowRoots()) this.#observe(root);
  }

  /** Watches the document, and records which nodes change, until `takeNodes` is called. */
  recordNodes(): void {
    this.#nodes ??= new Set();
    this.watch();
  }

  /** Ends the recording, and returns the nodes that have changed. */
  takeNodes(): ReadonlySet<Node> {
    this.#countRecords(this.#observer.takeRecords());
    const nodes = this.#nodes ?? new Set();
    this.#nodes = undefined;
    return nodes;
  }

  /** Ends the watch, unless nodes are recorded. */
  unwatch(): void {
    if (this.#nodes !== undefined) return;
    this.#isWatching = false;
    this.#observer.disconnect();
  }

  /** The number of changes so far. */
  get count(): number {
    this.#countRecords(this.#observer.takeRecords());
    const field = this.#fields.takeChanged();
    if (field !== undefined) this.#countChange(field);
    return this.#count;
  }

  /** The number of changes so far; undefined while the document is not watched. */
  get countIfWatching(): number | undefined {
    return this.#isWatching ? this.count : undefined;
  }

  /** Whether the page has drawn with WebGL. */
  get drawsWebGl(): boolean {
    return this.#drawsWebGl;
  }

  /** Returns whether a script has drawn on the canvas, or has passed it to a worker. */
  isDrawn(canvas: HTMLCanvasElement): boolean {
    return this.#drawnCanvases.has(canvas);
  }

  /** Returns whether the value of a progress bar has changed while the document was watched. */
  hasMoved(bar: Element): boolean {
    return this.#movedBars.has(bar);
  }

  /** Returns whether a script has scrolled since the last call: Chromium dispatches scroll events in the next browser frame. */
  takeNeedForFrame(): boolean {
    const hasScrolled = this.#hasScrolled;
    this.#hasScrolled = false;
    return hasScrolled;
  }

  /** The element that changed last; undefined if there is none, or if it no longer exists. */
  get last(): Element | undefined {
    const node = this.#lastChanged?.deref();
    return node instanceof Element ? node : (node?.parentElement ?? undefined);
  }

  shadowRoots(): ShadowRoot[] {
    return this.#shadowRoots.map((root) => root.deref()).filter((root) => root !== undefined);
  }

  /** Finds declarative shadow trees, which are created without a call of `attachShadow`. */
  #findDeclaredRoots(root: ParentNode): void {
    const knownRoots = new Set<ShadowRoot>(this.shadowRoots());
    for (const { shadowRoot } of root.querySelectorAll('*')) {
      if (shadowRoot === null) continue;
      if (!knownRoots.has(shadowRoot)) this.#shadowRoots.push(new WeakRef(shadowRoot));
      this.#findDeclaredRoots(shadowRoot);
    }
  }

  #observe(root: Node): void {
    this.#observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }

  #countRecords(records: readonly MutationRecord[]): void {
    const last = records.at(-1);
    if (last === undefined) return;
    this.#count += records.length;
    this.#lastChanged = new WeakRef(last.target);
    if (this.#nodes !== undefined) for (const { target } of records) this.#nodes.add(target);
    // A frame may change thousands of attributes, and reading `addedNodes` of each record takes time.
    for (const { type, attributeName, addedNodes, target } of records)
      if (type === 'childList') addedNodes.forEach(this.#onAdded);
      else if (attributeName === 'aria-valuenow' || attributeName === 'value') this.#movedBars.add(target);
  }

  #countChange(target: object): void {
    if (!this.#isWatching) return;
    this.#count += 1;
    if (!(target instanceof Element)) return;
    this.#lastChanged = new WeakRef(target);
    this.#nodes?.add(target);
  }

  #installShadowRoots(): void {
    const native = Element.prototype.attachShadow;
    const keep = (root: ShadowRoot) => {
      this.#shadowRoots.push(new WeakRef(root));
      if (this.#isWatching) this.#observe(root);
      return root;
    };
    Element.prototype.attachShadow = named('attachShadow', function (this: Element, init: ShadowRootInit) {
      return keep(native.call(this, init));
    });
  }
}
