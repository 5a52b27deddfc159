/** Starts a desktop browser that is installed on this machine: Chromium, Chrome or Edge. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import browserNames from '../../../build/setup/browsers.json' with { type: 'json' };

/** Long enough for a busy machine. */
export const browserTimeoutMs = 60_000;

/** @throws Error when no browser is installed */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath(),
    // Chromium refuses to start its sandbox as root.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: browserTimeoutMs,
  });
}

/** Returns the path in `PLATEN_TEST_BROWSER`, or else of the first browser found. @throws Error if there is none */
function browserPath(): string {
  const named = process.env.PLATEN_TEST_BROWSER;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = browserNames.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = named ?? [...paths, ...defaultPaths].find((place) => existsSync(place));
  if (found === undefined)
    throw new Error('no Chromium, Chrome or Edge found: install one, or set PLATEN_TEST_BROWSER to its path');
  return found;
}

/** Paths of browsers that are not on PATH. */
const defaultPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
