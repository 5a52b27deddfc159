/** The loop: a minimal application that converts in Electron without HTTP, accounts, isolation or logs. Runs in Electron. */
import { app } from 'electron';
import { startVariable, type LoopStart } from './loop-start.ts';
import { openLoopWindow, type FrameRate } from './loop-window.ts';
import { serveRequests, replyWithProblem, type Worker } from './ipc-worker.ts';

const { mode, windows } = JSON.parse(process.env[startVariable] ?? '') as LoopStart;

app.disableHardwareAcceleration();
app.commandLine.appendSwitch('force-device-scale-factor', '1');
app.on('window-all-closed', () => {});
process.once('disconnect', () => {
  app.exit(0);
});
app.whenReady().then(begin).catch(replyWithProblem);

async function begin(): Promise<void> {
  const slow = await openAll('slow');
  // Like the service, opens windows with the full frame rate only when a document needs them.
  let full: Promise<readonly Worker[]> | undefined;
  serveRequests(async ({ scripts, expected }) =>
    scripts || expected.kind === 'image' ? await (full ??= openAll('full')) : slow,
  );
}

function openAll(rate: FrameRate): Promise<readonly Worker[]> {
  return Promise.all(Array.from({ length: windows }, () => openLoopWindow(rate, mode)));
}
