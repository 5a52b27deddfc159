/** The checks of the self-test that need no file of their own, and the list of all checks in the order in which they run. */
import { randomUUID } from 'node:crypto';
import { readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { convert, type Check, type CheckWarning } from './check.ts';
import { fonts } from './fonts.ts';
import { isolation } from './isolation.ts';
import { ownFonts } from './own-fonts.ts';
import { refusedAddresses } from './refused-addresses.ts';
import { scriptsWithGlyphs } from './scripts.ts';
import { convertCanary } from '../converter/canary.ts';
import { pageTexts } from '../output/pdf-reader/page-texts.ts';
import { freeMemory } from '../engine/health/free-memory.ts';
import { pixelsOf, type Colour } from '../engine/health/pixel.ts';
import { fileErrorReason } from '../failure/no-room.ts';

// The colours of an image are those of the page.

const squareSize = 40;
const expectedColours: readonly (readonly [name: string, colour: Colour])[] = [
  ['red', [255, 0, 0]],
  ['green', [0, 128, 0]],
  ['blue', [0, 0, 255]],
  ['grey', [128, 128, 128]],
  ['black', [0, 0, 0]],
  ['white', [255, 255, 255]],
];

/** Of 255. A colour profile of the machine shifts colours by more. */
const tolerance = 3;

const html = `<!DOCTYPE html><style>body { margin: 0; background: white } div { height: ${squareSize}px }</style>
${expectedColours.map(([name]) => `<div style="background: ${name}"></div>`).join('')}`;

export const colours: Check = {
  name: 'colours',
  advice: 'See that the display has 24 bits of colour (Xvfb: -screen 0 1280x1024x24).',
  async run(context) {
    const { bytes } = await convert(
      html,
      { output_format: 'png', screenshot_width: 2 * squareSize },
      context,
    );
    const pixel = pixelsOf(bytes);
    expectedColours.forEach(([name, colour], index) => {
      const found = pixel(squareSize, index * squareSize + squareSize / 2);
      if (!isLike(found, colour)) throw new Error(`what should be ${name} is ${found.join(', ')}`);
    });
    return `${expectedColours.length} colours of a picture are what they should be.`;
  },
};

function isLike(one: Colour, other: Colour): boolean {
  return one.every((part, index) => Math.abs(part - (other[index] ?? NaN)) <= tolerance);
}

// The service can write to its folders, and the disk has enough free space.

export const dataFolder: Check = {
  name: 'data folder',
  advice: 'Give the user the service runs as the right to write there, and see that the disk is sound.',
  run: ({ settings }) => tryFolder(settings.data),
};

export const workFolder: Check = {
  name: 'work folder',
  advice: 'Restart the service, which recreates it, and check that its user can write there.',
  run: ({ workFolder: folder }) => tryFolder(folder),
};

const minFreeBytes = 100e6;
const comfortableFreeBytes = 1e9;

const diskSpace: Check = {
  name: 'disk space',
  advice: 'Delete what is not needed on that disk, or let --data name a folder on a larger one.',
  async run({ settings }): Promise<string | CheckWarning> {
    const { bavail, bsize } = await statfs(settings.data);
    const free = `${inMegabytes(bavail * bsize)} are free for the data folder`;
    if (bavail * bsize < minFreeBytes) throw new Error(`only ${free}`);
    if (bavail * bsize >= comfortableFreeBytes) return `${free}.`;
    return { warning: `Only ${free}; a large upload with what is made of it may not fit.` };
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
      throw new Error(`what was read in ${folder} is not what was written`);
    return `A file was written in ${folder}, read and deleted.`;
  } catch (problem) {
    const { code } = problem as NodeJS.ErrnoException;
    if (code === undefined) throw problem;
    throw new Error(`${folder} cannot be written: ${fileErrorReason({ code })}`, { cause: problem });
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}

// The accounts database can be read and written.

export const accounts: Check = {
  name: 'accounts',
  advice:
    'See that the disk is not full, that accounts.sqlite in the data folder belongs to the user of the service, and that no other program holds it.',
  async run({ tryOut }) {
    const count = await tryOut();
    return `An account was written, read and taken back; there ${count === 1 ? 'is one' : `are ${count || 'none'}`}.`;
  },
};

// Conversions work: the canary is converted in a window of each kind.

export const conversion: Check = {
  name: 'conversion',
  advice:
    "Look into the service's log for what Chromium says, and see that the libraries and the display it needs are there.",
  async run(context) {
    await convertCanary(context, context.signal);
    return 'A document and a picture were converted, through a window of each kind, behind the network guard.';
  },
};

// Pages have their headers, footers and page numbers.

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
          throw new Error(`page ${index + 1} of 2 lacks '${text}' and says '${texts[index]?.slice(0, 80)}'`);
    });
    return 'Each page has its header, its footer and its number in both.';
  },
};

// The machine has enough free memory for jobs.

export const memory: Check = {
  name: 'memory',
  advice: 'End other programs, give the machine more, or set fewer workers.',
  run({ settings }) {
    const free = freeMemory();
    if (free === undefined) return Promise.resolve('How much memory is free is not known on this system.');
    const text = `${inMegabytes(free)} of memory are free`;
    if (free >= settings['memory-reserve']) return Promise.resolve(`${text}.`);
    const reserve = inMegabytes(settings['memory-reserve']);
    return Promise.reject(
      new Error(`only ${text}, less than memory-reserve (${reserve}), so jobs begin one at a time`),
    );
  },
};

// A document has all its pages, and each page has its text.

const headings = ['Alabaster', 'Bergamot', 'Cinnabar'];
const twoPages = `<!DOCTYPE html><title>Self-test</title><style>section { break-after: page } section:last-child { break-after: auto }</style>
${headings.map((word) => `<section><h1>${word}</h1><p>The quick brown fox jumps over the lazy dog, 0123456789.</section>`).join('')}`;

const pagesAndText: Check = {
  name: 'pages and text',
  advice:
    'See that fonts are installed (Debian: fonts-liberation); else this version of Electron prints wrongly.',
  async run(context) {
    const { bytes, pages } = await convert(twoPages, {}, context);
    const texts = await pageTexts(bytes);
    if (pages?.total !== headings.length || texts.length !== headings.length)
      throw new Error(`a document of ${headings.length} pages came out with ${texts.length}`);
    headings.forEach((word, index) => {
      if (texts[index] !== `${word}Thequickbrownfoxjumpsoverthelazydog,0123456789.`)
        throw new Error(`page ${index + 1} of a document says '${texts[index]?.slice(0, 80)}'`);
    });
    return `A document has its ${headings.length} pages, and each page its text.`;
  },
};

// A tall image is right over its whole height. It is captured in bands, which a subprocess joins.

const stripedPageWidth = 450;
const stripedPageHeight = 20_000;
const stripeHeight = 500;

/** Returns a different colour for each stripe, so a misplaced band is noticed. */
function colourOf(index: number): Colour {
  return [10 * (index % 20), 60 * Math.floor(index / 20), 255 - 6 * index];
}

const stripes = Array.from({ length: stripedPageHeight / stripeHeight }, (_, index) => colourOf(index));
const stripedPage = `<!DOCTYPE html><style>body { margin: 0 } div { height: ${stripeHeight}px }</style>
${stripes.map((colour) => `<div style="background: rgb(${colour.join()})"></div>`).join('')}`;

const tallPicture: Check = {
  name: 'tall picture',
  advice: 'See that there is memory, and that the work folder can be written.',
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
            `row ${y} of a picture ${stripedPageHeight} pixels tall is ${found.join()} instead of ${colour.join()}`,
          );
      }
    });
    return `A picture ${stripedPageHeight.toLocaleString('en')} pixels tall is right from its first row to its last.`;
  },
};

export const checks: readonly Check[] = [
  dataFolder,
  workFolder,
  diskSpace,
  accounts,
  memory,
  conversion,
  pagesAndText,
  headerAndFooter,
  colours,
  tallPicture,
  fonts,
  scriptsWithGlyphs,
  ownFonts,
  isolation,
  refusedAddresses,
];
