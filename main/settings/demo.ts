/** Whether the demo account exists: its key is known to everybody, so only where nobody else can knock. */
import type { Settings } from './table.ts';

export function demoIsOn(settings: Settings): boolean {
  return settings.demo ?? isLoopback(settings.host);
}

/** Whether it exists where others can knock: somebody asked for that. */
export function demoIsExposed(settings: Settings): boolean {
  return demoIsOn(settings) && !isLoopback(settings.host);
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}
