/** The files of watermarks and backgrounds: uploaded, or fetched from their addresses. */
import { readFile } from 'node:fs/promises';
import { fetchRemote } from '../engine/fetch-remote.ts';
import type { WindowRun } from '../engine/engine.ts';
import type { EngineWindow } from '../engine/window.ts';
import type { Stamp } from './finish/stamps/stamps.ts';

/** In the order in which they are laid: what lies over the content, then what lies under it, the lowest last. */
const kinds = [
  { name: 'page_watermark', place: 'over', multipage: false },
  { name: 'multipage_watermark', place: 'over', multipage: true },
  { name: 'multipage_background', place: 'under', multipage: true },
  { name: 'page_background', place: 'under', multipage: false },
] as const;

const mostBytes = 100_000_000;

/** @throws Failure for an address that gives no file */
export async function stampsWanted(window: EngineWindow, run: WindowRun): Promise<Stamp[]> {
  const stamps: Stamp[] = [];
  for (const kind of kinds) {
    const stamp = await stampWanted(kind, window, run);
    if (stamp !== undefined) stamps.push(stamp);
  }
  return stamps;
}

async function stampWanted(
  kind: (typeof kinds)[number],
  window: EngineWindow,
  run: WindowRun,
): Promise<Stamp | undefined> {
  const { options } = run.job;
  const upload = options[kind.name];
  if (upload !== undefined) return { ...kind, bytes: await readFile(upload.path) };
  const option = `${kind.name}_url` as const;
  const url = options[option];
  if (url === undefined) return undefined;
  const wanted = { option, url, mostBytes };
  const { bytes } = await run.log.time(`fetch ${option}`, () => fetchRemote(window, wanted, run));
  return { ...kind, name: option, bytes };
}
