/** Adds the caller's style sheet, takes backgrounds away and gives the markup conventions their effect. */
import { randomUUID } from 'node:crypto';
import { isImage } from '../../job/job.ts';
import { pause } from '../../signals.ts';
import { conventions } from '../conventions.ts';
import { inFrames } from '../in-frames.ts';
import { runInPage } from '../in-page.ts';
import { inPieces } from '../in-pieces.ts';
import type { Loading } from '../loading.ts';
import { patienceLeft } from '../patience.ts';
import type { EngineWindow } from '../window.ts';

export async function inject({ window, run }: Loading): Promise<void> {
  const { options } = run.job;
  const css = options.custom_css ?? '';
  const until = performance.now() + patienceLeft(run, window.seat.requests.elapsed(), 1 / 4);
  const left = () => Math.max(0, until - performance.now());
  const classes = run.prefixes.map((prefix) => `${prefix}-body`);
  // A print has a setting for that.
  const bare = options.no_background && isImage(options);
  // Other pages have the conventions from their beginning, by page-preload.ts.
  const user = [options.disable_javascript && conventions(run.prefixes), bare && noBackgrounds].filter(
    Boolean,
  );
  await Promise.all([
    // As a user's sheet, whose !important beats the page's own.
    user.length > 0 && window.contents.insertCSS(user.join('\n'), { cssOrigin: 'user' }),
    addOwn(window, classes, { css, patience: left() }),
    bare && inFrames(window.contents.mainFrame, withoutBackgrounds),
  ]);
  // The load event has waited for what the page's own sheets show, and no event tells of this one's.
  if (asks.test(css)) await nothingOnItsWay({ window, run }, left);
}

/** In the text of a sheet: what it shows has to come from somewhere. */
const asks = /url\((?!\s*["']?\s*(?:data:|#))|image-set\(|@import/i;

/** Milliseconds: a request is told of by another way than the end of what began it, and may come later. */
const longestOnTheWay = 30;
const lookEvery = 5;

async function nothingOnItsWay(
  { window, run }: Pick<Loading, 'window' | 'run'>,
  left: () => number,
): Promise<void> {
  let free = 0;
  for (let last = performance.now(); free < longestOnTheWay && left() > 0; last = performance.now()) {
    await pause(lookEvery, run.signal);
    // Not the time in which the service itself stood still, and heard of nothing.
    const passed = Math.min(performance.now() - last, 2 * lookEvery);
    free = window.seat.requests.showing() > 0 ? 0 : free + passed;
  }
}

interface OwnSheet {
  readonly css: string;
  /** Milliseconds for what it imports. */
  readonly patience: number;
}

async function addOwn(
  { contents }: EngineWindow,
  classes: string[],
  { css, patience }: OwnSheet,
): Promise<void> {
  const run = (code: string) => runInPage(contents, code);
  const sheet = await inPieces({ run, key: randomUUID() }, css);
  await run(`(${addToPage.toString()})(${JSON.stringify(classes)}, ${sheet} ?? '', ${patience})`);
}

const pseudoElements = ['before', 'after', 'first-line', 'first-letter', 'marker', 'placeholder', 'backdrop'];
const noBackgrounds = ['*', ...pseudoElements.map((name) => `*::${name}`)]
  .map((what) => `${what} { background: none !important }`)
  .join('\n');

/** A frame takes no user's sheet from Electron. */
const withoutBackgrounds = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(${JSON.stringify(noBackgrounds)});
  document.adoptedStyleSheets.push(sheet);
}`;

/**
 * Electron's insertCSS puts a sheet before those of the page, so the caller's becomes an element after them; its imports
 * are waited for. Where the page's policy forbids that, an adopted sheet, which cannot import, does.
 */
async function addToPage(classes: string[], css: string, patience: number): Promise<void> {
  // A document that is only a picture may have no body.
  (document.body as HTMLElement | null)?.classList.add(...classes);
  if (css === '') return;
  const style = document.createElement('style');
  style.textContent = css;
  const loaded = new Promise((resolve) => {
    style.onload = resolve;
    style.onerror = resolve;
    setTimeout(resolve, patience);
  });
  document.documentElement.append(style);
  if (style.sheet === null) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  } else if (/@import/i.test(css)) await loaded;
  // What it shows is asked for as the page is laid out, which could be as late as the print.
  document.documentElement.getBoundingClientRect();
}
