/** The keys of the window: zoom, reload, close, and for developers their tools. A menu bar would be one more thing to look at. */
import { app, type BrowserWindow, type Input, type WebContents } from 'electron';

/** Steps of zoom, in Chromium's levels: 1.2 to the power of it. 50 % to 300 %. */
const zoom = { step: 0.5, least: -4, most: 6 } as const;

/** `scale` is the factor that counts as 100 %. */
export function heedKeys(window: BrowserWindow, scale: number): void {
  const { webContents: contents } = window;
  contents.on('before-input-event', (event, input) => {
    const act = actionFor(input, window, scale);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

function actionFor(input: Input, window: BrowserWindow, scale: number): (() => void) | undefined {
  if (input.type !== 'keyDown') return undefined;
  const { webContents: contents } = window;
  const command = process.platform === 'darwin' ? input.meta : input.control;
  const key = input.key.toLowerCase();
  if (key === 'f5' || (command && key === 'r'))
    return () => {
      contents.reload();
    };
  if (key === 'f12' && !app.isPackaged)
    return () => {
      contents.toggleDevTools();
    };
  if (!command || input.alt) return undefined;
  if (key === '+' || key === '=')
    return () => {
      zoomTo(contents, contents.getZoomLevel() + zoom.step);
    };
  if (key === '-')
    return () => {
      zoomTo(contents, contents.getZoomLevel() - zoom.step);
    };
  if (key === '0')
    return () => {
      contents.setZoomFactor(scale);
    };
  if (key === 'w')
    return () => {
      window.close();
    };
  return undefined;
}

function zoomTo(contents: WebContents, level: number): void {
  contents.setZoomLevel(Math.min(Math.max(level, zoom.least), zoom.most));
}
