/** The check that pages can use the fonts in the data folder. */
import { basename } from 'node:path';
import { callInPage } from '../engine/devtools/evaluate.ts';
import { loadPage } from '../engine/loading/load-page.ts';
import { withInternalWindow, inlineSource } from '../converter/internal-job.ts';
import { fontFolders } from '../settings/data-folder.ts';
import { internalJob, type Check, type CheckContext } from './check.ts';
import { fontFiles, type FontFile } from './font-files.ts';
import { listed } from './fonts.ts';

const maxFiles = 500;
const maxListed = 5;

export const customFonts: Check = {
  name: 'custom fonts',
  advice: 'Remove the files that are not fonts from the fonts folder.',
  async run(context) {
    const folder = fontFolders(context.settings.data).fonts;
    const files = await fontFiles(folder, maxFiles);
    if (files.length === 0) return `There are no fonts in ${folder}.`;
    const usable = await usableFiles(files, context);
    const unusable = files.filter((file) => !usable.has(file));
    if (unusable.length > 0) return { warning: `${warningText(unusable, folder)} ${adviceFor(unusable)}` };
    const families = [...new Set(files.flatMap(({ family }) => family ?? []))];
    return `Pages can use these fonts of ${folder}: ${shortenedList(families)}.`;
  },
};

/**
 * Returns the files that pages can use. Tests them with `local()`, which matches only the exact face: a missing family name would
 * fall back to another font (CSS Fonts 4, 4.3.1).
 */
async function usableFiles(
  files: readonly FontFile[],
  context: CheckContext,
): Promise<ReadonlySet<FontFile>> {
  const source = inlineSource('<!DOCTYPE html><p>Fonts', { scripts: false, headerFooter: {} });
  const names = files.map(({ postScriptName }) => postScriptName ?? '');
  const found = await withInternalWindow(
    { ...internalJob(context), source },
    context,
    async (window, run) => {
      await loadPage(window, source, run);
      return await callInPage(window.contents, findFaces, names);
    },
  );
  return new Set(files.filter((_, index) => found[index]));
}

function findFaces(names: readonly string[]): Promise<boolean[]> {
  const canLoad = (name: string) =>
    new FontFace('custom', `local(${JSON.stringify(name)})`).load().then(
      () => true,
      () => false,
    );
  return Promise.all(names.map(canLoad));
}

function warningText(files: readonly FontFile[], folder: string): string {
  return `Pages cannot use these files of ${folder}: ${shortenedList(files.map(({ path }) => basename(path)))}.`;
}

function adviceFor(files: readonly FontFile[]): string {
  if (files.some(({ postScriptName }) => postScriptName === undefined))
    return 'Supported files are complete TTF, OTF and TTC fonts.';
  return process.platform === 'linux'
    ? 'Restart the service; it finds new fonts only at the start.'
    : 'On this platform, install the fonts in the system, for all users, and restart the service.';
}

function shortenedList(names: readonly string[]): string {
  if (names.length <= maxListed) return listed(names);
  return listed([...names.slice(0, maxListed), `${names.length - maxListed} more`]);
}
