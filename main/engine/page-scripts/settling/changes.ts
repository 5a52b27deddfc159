/**
 * Detects changes to a document: to its nodes, including those in shadow trees, and to its canvases. Part of the page script
 * `settling`.
 */
import { named } from './clock.ts';

const drawing2d = [
  'clearRect',
  'drawImage',
  'fill',
  'fillRect',
  'fillText',
  'putImageData',
  'stroke',
  'strokeRect',
  'strokeText',
] as const;

const drawingGl = [
  'clear',
  'drawArrays',
  'drawElements',
  'drawArraysInstanced',
  'drawElementsInstanced',
  'drawRangeElements',
] as const;

export class ChangeTracker {
  readonly #onAdded: (node: Node) => void;
  readonly #shadowRoots: WeakRef<ShadowRoot>[] = [];
  readonly #observer: MutationObserver;
  #count = 0;
  #isWatching = false;
  #hasSearchedRoots = false;
  #lastChanged: WeakRef<Node> | undefined;

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
    this.#installCanvas();
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

  unwatch(): void {
    this.#isWatching = false;
    this.#observer.disconnect();
  }

  /** The number of changes so far. */
  get count(): number {
    this.#countRecords(this.#observer.takeRecords());
    return this.#count;
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
    for (const { target, addedNodes } of records) {
      this.#count += 1;
      this.#lastChanged = new WeakRef(target);
      addedNodes.forEach(this.#onAdded);
    }
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

  #installCanvas(): void {
    const onDrawn = (canvas: HTMLCanvasElement | OffscreenCanvas) => {
      if (!this.#isWatching) return;
      this.#count += 1;
      if (canvas instanceof HTMLCanvasElement) this.#lastChanged = new WeakRef(canvas);
    };
    const countCalls = (prototype: object, methods: readonly string[]) => {
      for (const method of methods) {
        const native = Object.getOwnPropertyDescriptor(prototype, method)?.value as
          ((...parameters: unknown[]) => unknown) | undefined;
        if (native === undefined) continue;
        const value = function (this: CanvasRenderingContext2D, ...parameters: unknown[]) {
          onDrawn(this.canvas);
          return Reflect.apply(native, this, parameters);
        };
        Object.defineProperty(prototype, method, {
          value: named(method, value),
          writable: true,
          configurable: true,
        });
      }
    };
    countCalls(CanvasRenderingContext2D.prototype, drawing2d);
    // Chromium without WebGL does not have these classes.
    for (const name of ['WebGLRenderingContext', 'WebGL2RenderingContext'] as const)
      if (name in globalThis) countCalls(globalThis[name].prototype, drawingGl);
  }
}

/**
 * Makes WebGL contexts keep their drawings. By default, Chromium discards a drawing after displaying it (WebGL 1.0, 2.2), so it
 * would not be printed. Call this before the page's scripts run.
 */
export function preserveDrawings(): void {
  const native = HTMLCanvasElement.prototype.getContext as (kind: string, attributes?: object) => unknown;
  const getContext = function (this: HTMLCanvasElement, kind: string, attributes?: object) {
    const isGl = /^(webgl2?|experimental-webgl)$/.test(kind);
    return native.call(this, kind, isGl ? { ...attributes, preserveDrawingBuffer: true } : attributes);
  };
  HTMLCanvasElement.prototype.getContext = named('getContext', getContext as never);
}
