/** Whether the demo account exists: its key is known to everybody, so only where nobody else can knock. */
import { isLoopback } from './exposure.ts';
import type { Settings } from './table.ts';

export function demoIsOn(settings: Pick<Settings, 'demo' | 'host'>): boolean {
  return settings.demo ?? isLoopback(settings.host);
}

/** Whether it exists where others can knock: somebody asked for that. */
export function demoIsExposed(settings: Settings): boolean {
  return demoIsOn(settings) && !isLoopback(settings.host);
}
