/** Writes a document that is only text and style into the window's open page: without the way to another page, which takes longest. */
import type { WindowRun } from '../engine.ts';
import { openPage } from '../job-document.ts';
import type { Loading, Work } from '../loading.ts';
import { patienceLeft } from '../patience.ts';
import type { EngineWindow } from '../window.ts';
import { isOpen, textToWrite } from '../written.ts';
import { fontsAndImages } from './settle.ts';

export function write(loading: Loading): Work | undefined {
  const { window, source, run } = loading;
  const text = window.kind === 'still' ? textToWrite(run, source) : undefined;
  if (text === undefined) return undefined;
  return async () => {
    if (!isOpen(window)) await window.contents.loadURL(openPage);
    const written = await writeText(text, window, run);
    if (written !== undefined) loading.written = written;
  };
}

/**
 * Writes a document into the open page, in the place of what is there: with all its fonts and images, or with some still to come.
 * Undefined when it asks for something after all; the window has to go to it then, as to any other.
 */
export async function writeText(
  text: string,
  { contents, seat }: EngineWindow,
  run: WindowRun,
): Promise<Loading['written']> {
  const patience = patienceLeft(run, seat.requests.elapsed(), 1 / 4);
  // In the page's own world: what another world writes is not held to the page's policy.
  const code = `(${writeInto.toString()})(${JSON.stringify(text)}, () => (${fontsAndImages.toString()})(false, ${patience}))`;
  const { refused, pending } = (await contents.executeJavaScript(code)) as Written;
  if (refused) return undefined;
  return pending === 0 ? 'whole' : 'in part';
}

interface Written {
  /** The page's policy has refused something. */
  readonly refused: boolean;
  /** Number of images and fonts still missing. */
  readonly pending: number;
}

async function writeInto(html: string, settled: () => Promise<number>): Promise<Written> {
  const policy = { broken: false };
  // That a frame was refused is told too late.
  const foreign = 'script, iframe, frame, object, embed, base, link, form, meta[http-equiv]';
  const onRefused = () => (policy.broken = true);
  document.open();
  // Opening has taken away what listened.
  document.addEventListener('securitypolicyviolation', onRefused);
  // What it is warned of: scripts that run as they are written, and there are none.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  document.write(html);
  document.close();
  const pending = await settled();
  // A refusal is told in a task of its own.
  await new Promise((resolve) => setTimeout(resolve));
  document.removeEventListener('securitypolicyviolation', onRefused);
  window.scrollTo(0, 0);
  return { refused: policy.broken || document.querySelector(foreign) !== null, pending };
}
