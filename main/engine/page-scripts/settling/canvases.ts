/** Watches what scripts draw on canvases, and keeps their drawings. Part of the page script `settling`. */
import { replaceMethod } from './replacements.ts';

type AnyCanvas = HTMLCanvasElement | OffscreenCanvas;

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

/** Methods of the contexts `webgl`, `webgl2` and `bitmaprenderer`. */
const drawingOfOthers = [
  'clear',
  'drawArrays',
  'drawElements',
  'drawArraysInstanced',
  'drawElementsInstanced',
  'drawRangeElements',
  'transferFromImageBitmap',
] as const;

const glKinds: readonly string[] = ['webgl', 'webgl2', 'experimental-webgl'];

/**
 * Calls `onDrawn` whenever a script draws on a canvas. Call it before the page's scripts run. Also makes the WebGL contexts of
 * canvas elements keep their drawings: by default, Chromium discards a drawing after displaying it (WebGL 1.0, 2.2), so it would not
 * be printed. The methods of other contexts than `2d` are replaced only when a script asks for one: the classes of WebGL have
 * hundreds of members, and creating them takes a millisecond in every document.
 */
export function watchCanvases(onDrawn: (canvas: AnyCanvas) => void): void {
  const watched = new Set<object>();
  const watchMethods = (prototype: object, methods: readonly string[]) => {
    if (watched.has(prototype)) return;
    watched.add(prototype);
    for (const method of methods) countCalls(prototype, method, onDrawn);
  };
  watchMethods(CanvasRenderingContext2D.prototype, drawing2d);
  const onContext = (context: unknown) => {
    if (typeof context === 'object' && context !== null)
      watchMethods(Reflect.getPrototypeOf(context) ?? context, drawingOfOthers);
  };
  watchContexts(HTMLCanvasElement.prototype, { preserveDrawingBuffer: true }, onContext);
  watchContexts(OffscreenCanvas.prototype, {}, onContext);
}

function countCalls(prototype: object, method: string, onDrawn: (canvas: AnyCanvas) => void): void {
  replaceMethod(prototype, method, (native) => {
    return function (this: unknown, ...parameters: unknown[]) {
      onDrawn((this as CanvasRenderingContext2D).canvas);
      return Reflect.apply(native, this, parameters);
    };
  });
}

/** Calls `onContext` with each context but `2d` that a script gets. `forced`: attributes that all WebGL contexts have. */
function watchContexts(
  prototype: object,
  forced: WebGLContextAttributes,
  onContext: (context: unknown) => void,
): void {
  replaceMethod(prototype, 'getContext', (native) => {
    return function (this: unknown, ...parameters: unknown[]) {
      const [kind, attributes] = parameters;
      if (kind === '2d') return Reflect.apply(native, this, parameters);
      const isGl = glKinds.includes(String(kind));
      const forcedAttributes = { ...(attributes as object | undefined), ...forced };
      const context = Reflect.apply(native, this, isGl ? [kind, forcedAttributes] : parameters);
      onContext(context);
      return context;
    };
  });
}
