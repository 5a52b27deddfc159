/**
 * A minimal application in the same Electron as the service, which prints pages to files. For each line of JSON on standard input,
 * it prints a page and writes a line of JSON to standard output.
 */
const { writeFileSync } = require('node:fs');
const { createInterface } = require('node:readline');
const { app, BrowserWindow } = require('electron');

const half = 0.5;
const settings = {
  pageSize: { width: 5, height: 3 },
  margins: { top: half, right: half, bottom: half, left: half },
  printBackground: true,
  preferCSSPageSize: true,
};

/** Runs in the page: waits until the page is ready, as WPT's test runner does. */
async function untilReady() {
  const frame = () =>
    new Promise((resolve) => {
      requestAnimationFrame(resolve);
      setTimeout(resolve, 500);
    });
  await document.fonts.ready;
  await frame();
  await frame();
  const root = document.documentElement;
  if (root?.classList.contains('reftest-wait') !== true) return;
  root.dispatchEvent(new Event('TestRendered', { bubbles: true }));
  while (root.classList.contains('reftest-wait')) await frame();
}

/** @param {{ url: string, to: string }} task */
async function print({ url, to }) {
  const webPreferences = {
    sandbox: true,
    contextIsolation: true,
    backgroundThrottling: false,
    spellcheck: false,
  };
  const size = { width: 800, height: 600, useContentSize: true, frame: false };
  const window = new BrowserWindow({ show: false, ...size, webPreferences });
  try {
    await window.loadURL(url);
    await window.webContents.executeJavaScript(`(${untilReady.toString()})()`);
    writeFileSync(to, await window.webContents.printToPDF(settings));
  } finally {
    window.destroy();
  }
}

const reply = (/** @type {object} */ answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

app.disableHardwareAcceleration();
app.commandLine.appendSwitch('force-device-scale-factor', '1');
app.on('window-all-closed', () => {});
void app.whenReady().then(() => {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const task = JSON.parse(line);
    print(task).then(
      () => reply({ to: task.to }),
      (problem) => reply({ to: task.to, problem: String(problem) }),
    );
  });
  lines.on('close', () => {
    app.exit(0);
  });
});
