/** Reads watermarks and backgrounds. */
import { readFile } from 'node:fs/promises';
import { fetchRemote } from '../../engine/requests/fetch-remote.ts';
import type { EngineWindow } from '../../engine/window/engine-window.ts';
import type { WindowRun } from '../../engine/window-run.ts';
import type { Stamp } from '../finish/stamps/stamps.ts';
import { isPdf } from '../pdf-reader/pdf-file.ts';
import { UploadedPdfReader } from '../uploaded-pdf/read-uploaded-pdf.ts';

/** Kinds of stamps in the order in which they are applied: first those over the content, then those under it, the lowest last. */
const stampKinds = [
  { name: 'page_watermark', position: 'over', multipage: false },
  { name: 'multipage_watermark', position: 'over', multipage: true },
  { name: 'multipage_background', position: 'under', multipage: true },
  { name: 'page_background', position: 'under', multipage: false },
] as const;

const maxStampBytes = 100_000_000;

/**
 * Reads uploaded files, and fetches those given as URLs, for a document of so many pages. @throws Failure if a URL cannot be fetched, or
 * a PDF cannot be read
 */
export async function loadStamps(window: EngineWindow, run: WindowRun, pages: number): Promise<Stamp[]> {
  const stamps: Stamp[] = [];
  const reader = new UploadedPdfReader();
  for (const kind of stampKinds) {
    const stamp = await loadStamp(kind, window, run);
    if (stamp === undefined) continue;
    const maxPages = kind.multipage ? pages : 1;
    const read = () => reader.read(stamp, maxPages, run.signal);
    if (isPdf(stamp.bytes))
      stamps.push({ ...stamp, bytes: await run.log.timeStage(`read the PDF of ${stamp.name}`, read) });
    else stamps.push(stamp);
  }
  return stamps;
}

async function loadStamp(
  kind: (typeof stampKinds)[number],
  window: EngineWindow,
  run: WindowRun,
): Promise<Stamp | undefined> {
  const { options } = run.job;
  const upload = options[kind.name];
  if (upload !== undefined) return { ...kind, bytes: await readFile(upload.path) };
  const option = `${kind.name}_url` as const;
  const url = options[option];
  if (url === undefined) return undefined;
  const request = { option, url, maxBytes: maxStampBytes };
  const { bytes } = await run.log.timeStage(`fetch ${option}`, () => fetchRemote(window, request, run));
  return { ...kind, name: option, bytes };
}
