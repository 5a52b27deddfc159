/** A browser of this machine, for what people see in theirs: Debian's Chromium, or a Chrome or Edge of another name. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import browserNames from '../../build/setup/browsers.json' with { type: 'json' };

/** Of a machine that has much else to do, milliseconds. */
export const patience = 60_000;

/** @throws Error when there is none */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath(),
    // As root Chromium's sandbox refuses to start.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: patience,
  });
}

/** `PLATEN_TEST_BROWSER` names one that is to be taken; else the first that is there is. */
function browserPath(): string {
  const named = process.env.PLATEN_TEST_BROWSER;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = browserNames.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = named ?? [...places, ...usualPlaces].find((place) => existsSync(place));
  if (found === undefined)
    throw new Error('no Chromium, Chrome or Edge: install one, or name it in PLATEN_TEST_BROWSER');
  return found;
}

/** Where the others are that are not found by a name. */
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
