/** Opens the bridge for the current environment: tray window or browser. */
import type { Bridge } from './bridge.ts';
import { openHttpBridge } from './http-bridge.ts';
import { openTrayBridge, windowBridge } from './tray-bridge.ts';

export function openBridge(): Bridge {
  const tray = windowBridge();
  return tray === undefined ? openHttpBridge() : openTrayBridge(tray);
}
