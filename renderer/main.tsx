/**
 * Entry point of the console: opens the bridge for the tray window or the browser, applies the preferences and renders the shell.
 */
import './style/tokens.css';
import './style/base.css';
import './style/frame.css';
import './style/controls.css';
import './style/parts.css';
import './style/overlays.css';
import { render } from 'preact';
import { openHttpBridge } from './bridge/http-bridge.ts';
import { openTrayBridge, windowBridge } from './bridge/tray-bridge.ts';
import { Shell } from './shell/shell.tsx';
import { watchService } from './state/service-state.ts';
import { applyPreferences } from './state/preferences.ts';

const root = document.getElementById('app');
if (root !== null) {
  const tray = windowBridge();
  const bridge = tray === undefined ? openHttpBridge() : openTrayBridge(tray);
  applyPreferences(bridge);
  watchService(bridge);
  render(<Shell bridge={bridge} />, root);
}
