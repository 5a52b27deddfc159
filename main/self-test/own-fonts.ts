/** Whether pages can ask for the fonts that an operator has put into the data folder. */
import { basename } from 'node:path';
import { inPage } from '../engine/in-page.ts';
import { loadPage } from '../engine/load-page.ts';
import { lendOwn, ownDocument } from '../own-job.ts';
import { fontFolders } from '../settings/data-folder.ts';
import { ownJob, type Check, type Trial } from './check.ts';
import { fontFiles, type FontFile } from './font-files.ts';
import { listed } from './fonts.ts';

/** Files that are looked at, and that are named. */
const [most, mostNamed] = [500, 5];

export const ownFonts: Check = {
  name: 'own fonts',
  advice: 'Take away from that folder what is no font.',
  async run(trial) {
    const folder = fontFolders(trial.settings.data).fonts;
    const files = await fontFiles(folder, most);
    if (files.length === 0) return `There are none in ${folder}.`;
    const known = await knownOf(files, trial);
    const lacking = files.filter((file) => !known.has(file));
    if (lacking.length > 0) return { warning: `${saidOf(lacking, folder)} ${adviceFor(lacking)}` };
    const families = [...new Set(files.flatMap(({ family }) => family ?? []))];
    return `Pages can ask for ${shortlyListed(families)}, of ${folder}.`;
  },
};

/** `local()` is true to the face: a family that is not there would be drawn in another (CSS Fonts 4, 4.3.1). */
async function knownOf(files: readonly FontFile[], trial: Trial): Promise<ReadonlySet<FontFile>> {
  const source = ownDocument('<!DOCTYPE html><p>Fonts', { scripts: false, strips: {} });
  const names = files.map(({ unique }) => unique ?? '');
  const found = await lendOwn({ ...ownJob(trial), source }, trial, async (window, run) => {
    await loadPage(window, source, run);
    return await inPage(window.contents, findFaces, names);
  });
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

function saidOf(files: readonly FontFile[], folder: string): string {
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
  if (names.length <= mostNamed) return listed(names);
  return listed([...names.slice(0, mostNamed), `${names.length - mostNamed} more`]);
}
