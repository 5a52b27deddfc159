/**
 * How much larger than 96 dots per inch the desktop shows everything. Chromium does not tell: its own scale is forced to 1,
 * because pictures and paper must not depend on the machine's display (lifecycle.ts).
 */
import { askProgram } from './ask-program.ts';

/** From 1 to 4; 1 where nobody can be asked. On macOS windows are scaled by the system. */
export async function systemScale(platform = process.platform): Promise<number> {
  const dots = platform === 'win32' ? await windowsDots() : platform === 'linux' ? await linuxDots() : 96;
  return Math.min(4, Math.max(1, dots / 96));
}

async function windowsDots(): Promise<number> {
  const key = 'HKCU\\Control Panel\\Desktop\\WindowMetrics';
  return dotsInRegistry(await askProgram('reg', ['query', key, '/v', 'AppliedDPI']));
}

/** Of `AppliedDPI    REG_DWORD    0x90`. */
export function dotsInRegistry(said = ''): number {
  return Number(/AppliedDPI\s+REG_DWORD\s+(0x[0-9a-f]+)/i.exec(said)?.[1] ?? 96);
}

async function linuxDots(): Promise<number> {
  const whole = Number(process.env.GDK_SCALE ?? 1) || 1;
  return whole * dotsInResources(await askProgram('xrdb', ['-query']));
}

/** Of `Xft.dpi:    144`. */
export function dotsInResources(said = ''): number {
  return Number(/^Xft\.dpi:\s*(\d+)/m.exec(said)?.[1] ?? 96);
}
