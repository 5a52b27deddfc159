/** Entry point of the user interface: opens the bridge, sets the language and renders the shell. */
import './style/tokens.css';
import './style/base.css';
import './style/frame.css';
import './style/controls.css';
import './style/parts.css';
import './style/overlays.css';
import { render } from 'preact';
import { openBridge } from './bridge/open-bridge.ts';
import { Shell } from './shell/shell.tsx';
import { watchService } from './shell/service-state.ts';
import { applyPreferences } from './shell/preferences.ts';

const root = document.getElementById('app');
if (root !== null) {
  const bridge = openBridge();
  applyPreferences(bridge);
  watchService(bridge);
  render(<Shell bridge={bridge} />, root);
}
