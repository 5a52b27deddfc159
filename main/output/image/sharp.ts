/** Loads sharp, which reads and writes images, in the build that works in the current process. */
import { createRequire } from 'node:module';
import type sharp from 'sharp';

/** The largest number of pixels in an image. Enough for A3 at 600 dpi, which takes 400 MB uncompressed. */
export const maxPixels = 100_000_000;

/**
 * Returns the WebAssembly build in Electron on Linux, otherwise the native build. On Linux, Electron loads the GLib of the system,
 * and the native build of sharp contains another. A process with both may crash (lovell/sharp#4351, lovell/sharp#4525,
 * electron/electron#46323). If sharp finds no native build, it uses the WebAssembly build.
 */
export function loadSharp(): typeof sharp {
  const require = createRequire(import.meta.url);
  if ('electron' in process.versions && process.platform === 'linux') hideNativeBuild(require);
  return require('sharp') as typeof sharp;
}

function hideNativeBuild(require: NodeJS.Require): void {
  const { resolve } = createRequire(require.resolve('sharp'));
  try {
    const file = resolve(`@img/sharp-linux-${process.arch}/sharp.node`);
    require.cache[file] ??= Object.assign(Object.create(null) as NodeJS.Module, {
      exports: null,
      loaded: true,
    });
  } catch {
    // The native build is not installed.
  }
}
