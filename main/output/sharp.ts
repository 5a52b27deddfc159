/** Owns which build of sharp reads and writes pictures. */
import { createRequire } from 'node:module';
import type sharp from 'sharp';

/**
 * Electron on Linux loads the system's GLib, sharp's native build brings one of its own, and the two crash each other
 * (lovell/sharp#4351, lovell/sharp#4525, electron/electron#46323). There the WebAssembly build is used: sharp takes it when it
 * finds no native one.
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
    // It is not installed.
  }
}
