/** Entry point of the user interface: opens the bridge of the tray window or the browser, sets the language and renders the shell. */
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
import { watchService } from './shell/service-state.ts';
import { applyPreferences } from './shell/preferences.ts';

const root = document.getElementById('app');
if (root !== null) {
  const tray = windowBridge();
  const bridge = tray === undefined ? openHttpBridge() : openTrayBridge(tray);
  applyPreferences(bridge);
  watchService(bridge);
  render(<Shell bridge={bridge} />, root);
}
