/** Watches what scripts draw on canvases, and makes Chromium print it. Part of the page script `settling`. */
import { named, replaceMethod, replaceMethodOnce } from './replacements.ts';

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

const drawingGl = [
  'clear',
  'drawArrays',
  'drawElements',
  'drawArraysInstanced',
  'drawElementsInstanced',
  'drawRangeElements',
] as const;

const glKinds: readonly string[] = ['webgl', 'webgl2', 'experimental-webgl'];

/**
 * Calls `onDrawn` whenever a script draws on a canvas, or passes it to a worker. Call it before the page's scripts run. Also makes the
 * WebGL contexts of canvas elements keep their drawings: by default, Chromium discards a drawing after displaying it (WebGL 1.0, 2.2), so it would not be
 * printed. The methods of WebGL are replaced only when a script asks for WebGL: their classes have hundreds of members, and creating
 * them takes a millisecond in every document.
 */
export function watchCanvases(onDrawn: (canvas: AnyCanvas, isWebGl: boolean) => void): void {
  for (const method of drawing2d)
    countCalls(CanvasRenderingContext2D.prototype, method, (canvas) => {
      onDrawn(canvas, false);
    });
  const onContext = (context: unknown) => {
    if (typeof context !== 'object' || context === null) return;
    for (const method of drawingGl)
      countCalls(Reflect.getPrototypeOf(context) ?? context, method, (canvas) => {
        onDrawn(canvas, true);
      });
  };
  watchContexts(HTMLCanvasElement.prototype, { preserveDrawingBuffer: true }, onContext);
  replaceBitmapContexts();
  watchContexts(OffscreenCanvas.prototype, {}, onContext);
  replaceMethod(HTMLCanvasElement.prototype, 'transferControlToOffscreen', (native) => {
    return function (this: unknown) {
      const transferred = Reflect.apply(native, this, []);
      onDrawn(this as HTMLCanvasElement, false);
      return transferred;
    };
  });
}

function countCalls(prototype: object, method: string, onDrawn: (canvas: AnyCanvas) => void): void {
  replaceMethodOnce(prototype, method, (native) => {
    return function (this: unknown, ...parameters: unknown[]) {
      onDrawn((this as CanvasRenderingContext2D).canvas);
      return Reflect.apply(native, this, parameters);
    };
  });
}

/** Calls `onContext` with each WebGL context that a script gets. `forced`: attributes that all of these contexts have. */
function watchContexts(
  prototype: object,
  forced: WebGLContextAttributes,
  onContext: (context: unknown) => void,
): void {
  replaceMethod(prototype, 'getContext', (native) => {
    return function (this: unknown, ...parameters: unknown[]) {
      const [kind, attributes] = parameters;
      if (!glKinds.includes(String(kind))) return Reflect.apply(native, this, parameters);
      const forcedAttributes = { ...(attributes as object | undefined), ...forced };
      const context = Reflect.apply(native, this, [kind, forcedAttributes]);
      onContext(context);
      return context;
    };
  });
}

/** Replaces `bitmaprenderer` contexts by ones that draw on a 2D context, because Chromium prints canvases of that kind blank. */
function replaceBitmapContexts(): void {
  const contexts = new WeakMap<HTMLCanvasElement, ImageBitmapRenderingContext>();
  replaceMethod(HTMLCanvasElement.prototype, 'getContext', (native) => {
    return function (this: unknown, ...parameters: unknown[]) {
      const [kind, attributes] = parameters;
      if (kind !== 'bitmaprenderer') return Reflect.apply(native, this, parameters);
      const canvas = this as HTMLCanvasElement;
      const known = contexts.get(canvas);
      if (known !== undefined) return known;
      const context = Reflect.apply(native, this, ['2d', attributes]) as CanvasRenderingContext2D | null;
      if (context === null) return null;
      const made = bitmapContext(context);
      contexts.set(canvas, made);
      return made;
    };
  });
}

function bitmapContext(context: CanvasRenderingContext2D): ImageBitmapRenderingContext {
  const { canvas } = context;
  const transfer = (bitmap: ImageBitmap | null) => {
    if (bitmap === null) {
      context.clearRect(0, 0, canvas.width, canvas.height);
      return;
    }
    // Changing the size of the canvas resets the operation.
    context.globalCompositeOperation = 'copy';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
  };
  return Object.create(ImageBitmapRenderingContext.prototype, {
    canvas: { value: canvas, enumerable: true },
    transferFromImageBitmap: { value: named('transferFromImageBitmap', transfer), enumerable: true },
  }) as ImageBitmapRenderingContext;
}
