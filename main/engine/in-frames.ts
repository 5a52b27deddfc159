/** Runs code in the frames of a page, whatever their origin. */
import { pause } from '../signals.ts';

const patience = 1000;

/**
 * What it is worth in each frame but the main one; undefined for a frame that throws or does not answer. Electron reaches
 * frames in their own world only.
 */
export async function inFrames(mainFrame: Electron.WebFrameMain, code: string): Promise<unknown[]> {
  const frames = mainFrame.framesInSubtree.filter((frame) => frame !== mainFrame);
  if (frames.length === 0) return [];
  const silenced = new AbortController();
  const silence = pause(patience, silenced.signal).catch(() => undefined);
  const answers = frames.map((frame) => frame.executeJavaScript(code).catch(() => undefined));
  const said = await Promise.all(answers.map((answer) => Promise.race([answer, silence])));
  silenced.abort();
  return said;
}
