/**
 * The program that reports a failed start in a dialog. It runs in an Electron process without the service, because the service may
 * have failed before it could show anything. On Linux, Electron shows dialogs only after `ready`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, dialog, shell } from 'electron';
import { failedStartVariable, type FailedStart } from '../launch/messages.ts';
import { textsFor } from './tray/texts.ts';

const failure = JSON.parse(process.env[failedStartVariable] ?? '') as FailedStart;

async function showDialog({ sentence, logFile }: FailedStart): Promise<void> {
  const texts = textsFor(app.getPreferredSystemLanguages());
  // Platen has no Dock icon, and macOS keeps the windows of such applications behind others.
  await app.dock?.show();
  app.focus({ steal: true });
  const answer = dialog.showMessageBox({
    type: 'error',
    title: 'Platen',
    message: texts.startFailed,
    detail: logFile === undefined ? sentence : `${sentence}\n\n${texts.logFile(logFile)}`,
    buttons: logFile === undefined ? [texts.close] : [texts.close, texts.showLogFile],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  process.send?.('shown', undefined, undefined, () => {});
  if ((await answer).response === 1 && logFile !== undefined) shell.showItemInFolder(logFile);
}

const profile = mkdtempSync(join(tmpdir(), 'platen-dialog-'));
app.setPath('userData', profile);
app.disableHardwareAcceleration();
// Closing the dialog ends the process below.
app.on('window-all-closed', () => {});
app.on('quit', () => {
  rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
});
void app
  .whenReady()
  .then(() => showDialog(failure))
  .finally(() => {
    app.quit();
  });
