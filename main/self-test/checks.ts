/** Contains the short checks of the self-test, and the list of all checks in the order in which they run. */
import { randomUUID } from 'node:crypto';
import { readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { convert, type Check, type CheckWarning } from './check.ts';
import { electron } from './electron.ts';
import { fonts } from './fonts.ts';
import { isolation } from './isolation.ts';
import { customFonts } from './font-folder.ts';
import { refusedAddresses } from './refused-addresses.ts';
import { scriptsWithGlyphs } from './scripts.ts';
import { webgl } from './webgl.ts';
import { convertCanary } from '../converter/canary.ts';
import { pageTexts } from '../output/pdf-reader/page-texts.ts';
import { freeMemory } from '../engine/health/free-memory.ts';
import { pixelsOf, type Colour } from '../engine/health/pixel.ts';
import { fileErrorReason } from '../failure/failure.ts';

// Colours: an image has the colours of the page.

const squareSize = 40;
const expectedColours: readonly (readonly [name: string, colour: Colour])[] = [
  ['red', [255, 0, 0]],
  ['green', [0, 128, 0]],
  ['blue', [0, 0, 255]],
  ['grey', [128, 128, 128]],
  ['black', [0, 0, 0]],
  ['white', [255, 255, 255]],
];

/** Maximum difference of a channel, out of 255. A colour profile of the machine would shift colours by more. */
const tolerance = 3;

const html = `<!DOCTYPE html><style>body { margin: 0; background: white } div { height: ${squareSize}px }</style>
${expectedColours.map(([name]) => `<div style="background: ${name}"></div>`).join('')}`;

export const colours: Check = {
  name: 'colours',
  advice: 'Check that the display has 24 bits of colour (Xvfb: -screen 0 1280x1024x24).',
  async run(context) {
    const { bytes } = await convert(
      html,
      { output_format: 'png', screenshot_width: 2 * squareSize },
      context,
    );
    const pixel = pixelsOf(bytes);
    expectedColours.forEach(([name, colour], index) => {
      const found = pixel(squareSize, index * squareSize + squareSize / 2);
      if (!isLike(found, colour))
        throw new Error(`a ${name} area has the colour ${found.join(', ')} instead of ${colour.join(', ')}`);
    });
    return `All ${expectedColours.length} colours of an image are correct.`;
  },
};

function isLike(left: Colour, right: Colour): boolean {
  return left.every((channel, index) => Math.abs(channel - (right[index] ?? NaN)) <= tolerance);
}

// Folders: the service can write to its folders, and the disk has enough free space.

export const dataFolder: Check = {
  name: 'data folder',
  advice:
    'Give the system user that runs the service write access to the folder, and check the disk for errors.',
  run: ({ settings }) => tryFolder(settings.data),
};

export const workFolder: Check = {
  name: 'work folder',
  advice:
    'Restart the service, which recreates the folder, and check that the system user that runs the service can write to it.',
  run: ({ workFolder: folder }) => tryFolder(folder),
};

const minFreeBytes = 100e6;
const comfortableFreeBytes = 1e9;

const diskSpace: Check = {
  name: 'disk space',
  advice: 'Free some space on that disk, or choose a folder on a larger disk with --data.',
  async run({ settings }): Promise<string | CheckWarning> {
    const { bavail, bsize } = await statfs(settings.data);
    const freeBytes = bavail * bsize;
    const free = `${inMegabytes(freeBytes)} is free for the data folder`;
    if (freeBytes < minFreeBytes) throw new Error(`only ${free}`);
    if (freeBytes >= comfortableFreeBytes) return `${free}.`;
    return { warning: `Only ${free}; a large upload and its output may not fit.` };
  },
};

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
}

async function tryFolder(folder: string): Promise<string> {
  const path = join(folder, `self-test-${randomUUID()}`);
  try {
    await writeFile(path, path, { mode: 0o600 });
    if ((await readFile(path, 'utf8')) !== path)
      throw new Error(`a file in ${folder} does not contain the text that was written to it`);
    return `A file in ${folder} was written, read and deleted.`;
  } catch (problem) {
    const { code } = problem as NodeJS.ErrnoException;
    if (code === undefined) throw problem;
    throw new Error(`${folder} cannot be written: ${fileErrorReason({ code })}`, { cause: problem });
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}

// Accounts: the accounts database can be read and written.

export const accounts: Check = {
  name: 'accounts',
  advice:
    'Check that the disk is not full, that accounts.sqlite in the data folder belongs to the system user that runs the service, and that no other program locks it.',
  async run({ testDatabase }) {
    const count = await testDatabase();
    return `A test account was written, read and rolled back. The database has ${count === 1 ? '1 account' : `${count} accounts`}.`;
  },
};

// Conversion: the canary, a test document and a test image, is converted in a window of each kind.

export const conversion: Check = {
  name: 'conversion',
  advice:
    "Look for Chromium errors in the service log, and run 'platen config check', which checks Chromium's libraries and display.",
  async run(context) {
    await convertCanary(context, context.signal);
    return 'A document and an image were converted, in a window of each kind, with the network guard.';
  },
};

// Header and footer: each page has its header, footer and page numbers.

const twoShortPages = `<!DOCTYPE html><style>p { break-after: page } p:last-child { break-after: auto }</style><p>First<p>Second`;
const pageNumbers = '<span class="service-page-number"></span> of <span class="service-page-count"></span>';
const options = {
  header_html: `<p>Above ${pageNumbers}`,
  footer_html: `<p>Below ${pageNumbers}`,
};

const headerAndFooter: Check = {
  name: 'header and footer',
  advice: 'Restart the service. If the check still fails, reinstall this version.',
  async run(context) {
    const { bytes } = await convert(twoShortPages, options, context);
    const texts = await pageTexts(bytes);
    ['First', 'Second'].forEach((body, index) => {
      const number = `${index + 1}of2`;
      for (const text of [body, `Above${number}`, `Below${number}`])
        if (texts[index]?.includes(text) !== true)
          throw new Error(
            `page ${index + 1} of 2 lacks '${text}'; its text is '${texts[index]?.slice(0, 80)}'`,
          );
    });
    return 'Each page has its header and footer, both with the page number.';
  },
};

// Memory: the machine has enough free memory for jobs.

export const memory: Check = {
  name: 'memory',
  advice: 'Stop other programs, add memory, or reduce the workers setting.',
  run({ settings }) {
    const free = freeMemory();
    if (free === undefined) return Promise.resolve('This system does not report its free memory.');
    const text = `${inMegabytes(free)} of memory is free`;
    if (free >= settings['memory-reserve']) return Promise.resolve(`${text}.`);
    const reserve = inMegabytes(settings['memory-reserve']);
    return Promise.reject(
      new Error(`only ${text}, less than memory-reserve (${reserve}), so jobs start one at a time`),
    );
  },
};

// Pages and text: a document has all its pages, and each page has its text.

const headings = ['Alabaster', 'Bergamot', 'Cinnabar'];
const threePages = `<!DOCTYPE html><title>Self-test</title><style>section { break-after: page } section:last-child { break-after: auto }</style>
${headings.map((word) => `<section><h1>${word}</h1><p>The quick brown fox jumps over the lazy dog, 0123456789.</section>`).join('')}`;

const pagesAndText: Check = {
  name: 'pages and text',
  advice:
    'Check that fonts are installed (Debian: fonts-liberation). If they are, this version of Electron prints incorrectly.',
  async run(context) {
    const { bytes, pages } = await convert(threePages, {}, context);
    const texts = await pageTexts(bytes);
    if (pages?.total !== headings.length || texts.length !== headings.length)
      throw new Error(`a document of ${headings.length} pages was printed with ${texts.length}`);
    headings.forEach((word, index) => {
      if (texts[index] !== `${word}Thequickbrownfoxjumpsoverthelazydog,0123456789.`)
        throw new Error(`page ${index + 1} of a document has the wrong text '${texts[index]?.slice(0, 80)}'`);
    });
    return `A document has all its ${headings.length} pages, and each page has its text.`;
  },
};

// Tall image: the pixels are correct over the whole height. A tall image is captured in bands, which a child process joins.

const stripedPageWidth = 450;
const stripedPageHeight = 20_000;
const stripeHeight = 500;

/** Returns a different colour for each stripe, so that a misplaced band is detected. */
function colourOf(index: number): Colour {
  return [10 * (index % 20), 60 * Math.floor(index / 20), 255 - 6 * index];
}

const stripes = Array.from({ length: stripedPageHeight / stripeHeight }, (_, index) => colourOf(index));
const stripedPage = `<!DOCTYPE html><style>body { margin: 0 } div { height: ${stripeHeight}px }</style>
${stripes.map((colour) => `<div style="background: rgb(${colour.join()})"></div>`).join('')}`;

const tallImage: Check = {
  name: 'tall image',
  advice: 'Check that memory is free, and that the service can write to the work folder.',
  async run(context) {
    const { bytes } = await convert(
      stripedPage,
      { output_format: 'png', screenshot_width: stripedPageWidth },
      context,
    );
    const pixel = pixelsOf(bytes);
    stripes.forEach((colour, index) => {
      for (const y of [index * stripeHeight, (index + 1) * stripeHeight - 1]) {
        const found = pixel(stripedPageWidth / 2, y);
        if (!isLike(found, colour))
          throw new Error(
            `row ${y} of an image ${stripedPageHeight} pixels tall has the colour ${found.join()} instead of ${colour.join()}`,
          );
      }
    });
    return `An image ${stripedPageHeight.toLocaleString('en')} pixels tall is correct from the first row to the last.`;
  },
};

export const checks: readonly Check[] = [
  dataFolder,
  workFolder,
  diskSpace,
  accounts,
  memory,
  electron,
  conversion,
  pagesAndText,
  headerAndFooter,
  colours,
  tallImage,
  webgl,
  fonts,
  scriptsWithGlyphs,
  customFonts,
  isolation,
  refusedAddresses,
];
