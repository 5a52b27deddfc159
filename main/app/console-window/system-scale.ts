/**
 * Determines the display scale of the desktop, relative to 96 dpi. Chromium cannot report it, because its own scale is forced to 1 so
 * that output does not depend on the machine's display (lifecycle.ts).
 */
import { windowsTool } from '../../launch/run-program.ts';
import { runProgram } from '../process/ask-program.ts';

/** Returns 1 to 4; 1 if unknown. macOS scales windows itself. */
export async function systemScale(platform = process.platform): Promise<number> {
  const dpi = platform === 'win32' ? await windowsDpi() : platform === 'linux' ? await linuxDpi() : 96;
  return Math.min(4, Math.max(1, dpi / 96));
}

async function windowsDpi(): Promise<number> {
  const key = 'HKCU\\Control Panel\\Desktop\\WindowMetrics';
  return registryDpi(await runProgram(windowsTool('reg'), ['query', key, '/v', 'AppliedDPI']));
}

/** Reads the dpi from `AppliedDPI    REG_DWORD    0x90`. */
export function registryDpi(output = ''): number {
  return Number(/AppliedDPI\s+REG_DWORD\s+(0x[0-9a-f]+)/i.exec(output)?.[1] ?? 96);
}

async function linuxDpi(): Promise<number> {
  const gtkScale = Number(process.env.GDK_SCALE ?? 1) || 1;
  return gtkScale * xResourcesDpi(await runProgram('xrdb', ['-query']));
}

/** Reads the dpi from `Xft.dpi:    144`. */
export function xResourcesDpi(output = ''): number {
  return Number(/^Xft\.dpi:\s*(\d+)/m.exec(output)?.[1] ?? 96);
}
