/**
 * Determines the display scale of the desktop, relative to 96 dpi. Chromium cannot report it if its own scale is forced to 1, so
 * that output does not depend on the display (process/lifecycle.ts).
 */
import { windowsTool } from '../../launch/run-program.ts';
import { queryProgram } from '../process/query-program.ts';

/** Returns the scale, 1 to 4. It is 1 if unknown, and on macOS, which scales windows itself. */
export async function systemScale(platform = process.platform): Promise<number> {
  const dpi = platform === 'win32' ? await windowsDpi() : platform === 'linux' ? await linuxDpi() : 96;
  return Math.min(4, Math.max(1, dpi / 96));
}

async function windowsDpi(): Promise<number> {
  const key = 'HKCU\\Control Panel\\Desktop\\WindowMetrics';
  return registryDpi(await queryProgram(windowsTool('reg'), ['query', key, '/v', 'AppliedDPI']));
}

/** Returns the dpi in the output of `reg`, such as `AppliedDPI    REG_DWORD    0x90`; 96 if absent. */
export function registryDpi(output = ''): number {
  return Number(/AppliedDPI\s+REG_DWORD\s+(0x[0-9a-f]+)/i.exec(output)?.[1] ?? 96);
}

async function linuxDpi(): Promise<number> {
  const gtkScale = Number(process.env.GDK_SCALE ?? 1) || 1;
  return gtkScale * xResourcesDpi(await queryProgram('xrdb', ['-query']));
}

/** Returns the dpi in the output of `xrdb`, such as `Xft.dpi:    144`; 96 if absent. */
export function xResourcesDpi(output = ''): number {
  return Number(/^Xft\.dpi:\s*(\d+)/m.exec(output)?.[1] ?? 96);
}
