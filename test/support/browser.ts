/** A desktop browser of this machine: Debian's Chromium, Chrome or Edge. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import browserNames from '../../build/setup/browsers.json' with { type: 'json' };

/** Milliseconds, enough for a busy machine. */
export const browserTimeoutMs = 60_000;

/** @throws Error when no browser is installed */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath(),
    // As root, Chromium's sandbox refuses to start.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: browserTimeoutMs,
  });
}

/** Returns `PLATEN_TEST_BROWSER` if it is set, or else the first browser found. */
function browserPath(): string {
  const named = process.env.PLATEN_TEST_BROWSER;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = browserNames.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = named ?? [...paths, ...defaultPaths].find((place) => existsSync(place));
  if (found === undefined)
    throw new Error('no Chromium, Chrome or Edge: install one, or name it in PLATEN_TEST_BROWSER');
  return found;
}

/** Paths of browsers that are not on PATH. */
const defaultPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
