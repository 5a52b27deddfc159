/** What becomes of a source whose turn is over: failed ones go to `failed` with their log, converted ones stay, move or go. */
import { randomUUID } from 'node:crypto';
import { lstat, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DebugLogs } from '../log/debug-logs.ts';
import { debugLogPage } from '../log/page/debug-log-page.ts';
import type { Ending, SourceOrder } from './convert-source.ts';
import { freeName, subFolder, temporaryPrefix, withdraw, writeThrough } from './folder-file.ts';
import { doneFolder, failedFolder } from './folder-settings.ts';
import { ownFolders } from './receive-source.ts';
import { sourceOf } from './source-names.ts';

type Aside = Pick<SourceOrder, 'folder' | 'source' | 'signature' | 'settings'>;

const [errorEnding, logEnding] = ['.error.txt', '.log.html'];

/** A newer version that has come meanwhile stays. @throws what moving and writing throw */
export async function putFailedAside(
  aside: Aside,
  ending: Extract<Ending, { kind: 'failed' }>,
  debugLogs: Pick<DebugLogs, 'read'>,
): Promise<void> {
  const { folder, source } = aside;
  const failed = await subFolder(folder, failedFolder);
  const name = await freeName(failed, source.name, [errorEnding, logEnding]);
  const [from, to] = [join(folder, source.name), join(failed, name)];
  const isGone = await withdraw(from, to, aside.signature);
  const like = isGone ? to : from;
  await writeThrough(to + errorEnding, sentenceOf(ending), like);
  const events = ending.debugLog === undefined ? undefined : await debugLogs.read(ending.debugLog);
  if (events !== undefined) await writeThrough(to + logEnding, debugLogPage(events), like);
  if (isGone) await moveOwn(aside, failed, name);
}

/** One line. */
function sentenceOf({ failure, job }: Extract<Ending, { kind: 'failed' }>): string {
  const { status, reason, message } = failure;
  const told = message.replace(/\s+/g, ' ');
  return `${status}.${reason} - ${told} (${new Date().toISOString()}, job ${job})\n`;
}

/** @throws what moving and deleting throw */
export async function putDoneAside(aside: Aside): Promise<void> {
  const { folder, source, signature, settings } = aside;
  const from = join(folder, source.name);
  if (settings.after === 'keep') return;
  if (settings.after === 'move') {
    const done = await subFolder(folder, doneFolder);
    const name = await freeName(done, source.name, []);
    if (await withdraw(from, join(done, name), signature)) await moveOwn(aside, done, name);
    return;
  }
  const doomed = join(folder, `${temporaryPrefix}${randomUUID()}.tmp`);
  if (!(await withdraw(from, doomed, signature))) return;
  await rm(doomed, { force: true });
  for (const own of await ownOf(aside)) await rm(own.path, { recursive: true, force: true });
}

/** The folder of a page's own goes where the page goes, and is called like it. */
async function moveOwn(aside: Aside, to: string, name: string): Promise<void> {
  const stem = sourceOf(name)?.stem ?? name;
  for (const { path, ending } of await ownOf(aside)) {
    const free = await freeName(to, stem + ending, []);
    await rename(path, join(to, free));
  }
}

/** Those that are there, if pages may use them. */
async function ownOf({ folder, source, settings }: Aside) {
  if (settings.assets !== 'own' || source.isArchive) return [];
  const found: { readonly path: string; readonly ending: string }[] = [];
  for (const name of ownFolders({ source })) {
    const path = join(folder, name);
    if (await isFolder(path)) found.push({ path, ending: name.slice(source.stem.length) });
  }
  return found;
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
