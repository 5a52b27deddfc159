/** The check that pages can use the fonts in the data folder. */
import { basename } from 'node:path';
import { inPage } from '../engine/devtools/evaluate.ts';
import { loadPage } from '../engine/loading/load-page.ts';
import { withInternalWindow, inlineSource } from '../converter/internal-job.ts';
import { fontFolders } from '../settings/data-folder.ts';
import { internalJob, type Check, type CheckContext } from './check.ts';
import { fontFiles, type FontFile } from './font-files.ts';
import { listed } from './fonts.ts';

const maxFiles = 500;
const maxNamed = 5;

export const ownFonts: Check = {
  name: 'own fonts',
  advice: 'Take away from that folder what is no font.',
  async run(context) {
    const folder = fontFolders(context.settings.data).fonts;
    const files = await fontFiles(folder, maxFiles);
    if (files.length === 0) return `There are none in ${folder}.`;
    const usable = await usableFiles(files, context);
    const unusable = files.filter((file) => !usable.has(file));
    if (unusable.length > 0) return { warning: `${warningText(unusable, folder)} ${adviceFor(unusable)}` };
    const families = [...new Set(files.flatMap(({ family }) => family ?? []))];
    return `Pages can ask for ${shortlyListed(families)}, of ${folder}.`;
  },
};

/** Tests with `local()`, which matches only the exact face. A missing family would fall back to another (CSS Fonts 4, 4.3.1). */
async function usableFiles(
  files: readonly FontFile[],
  context: CheckContext,
): Promise<ReadonlySet<FontFile>> {
  const source = inlineSource('<!DOCTYPE html><p>Fonts', { scripts: false, strips: {} });
  const names = files.map(({ unique }) => unique ?? '');
  const found = await withInternalWindow(
    { ...internalJob(context), source },
    context,
    async (window, run) => {
      await loadPage(window, source, run);
      return await inPage(window.contents, findFaces, names);
    },
  );
  return new Set(files.filter((_, index) => found[index]));
}

function findFaces(names: readonly string[]): Promise<boolean[]> {
  const find = (name: string) =>
    new FontFace('own', `local(${JSON.stringify(name)})`).load().then(
      () => true,
      () => false,
    );
  return Promise.all(names.map(find));
}

function warningText(files: readonly FontFile[], folder: string): string {
  return `Pages cannot ask for ${shortlyListed(files.map(({ path }) => basename(path)))}, of ${folder}.`;
}

function adviceFor(files: readonly FontFile[]): string {
  if (files.some(({ unique }) => unique === undefined))
    return 'What can be used are whole fonts of the kinds TTF, OTF and TTC.';
  return process.platform === 'linux'
    ? 'Restart the service; fonts are found when it starts.'
    : 'On this platform fonts are installed in the system, for all users; then restart the service.';
}

function shortlyListed(names: readonly string[]): string {
  if (names.length <= maxNamed) return listed(names);
  return listed([...names.slice(0, maxNamed), `${names.length - maxNamed} more`]);
}
