/** A small picture of a page as it stands before it is printed or captured, for the debug log. */
import type { PictureEvent } from '../log/events.ts';
import { pause } from '../signals.ts';
import type { WindowRun } from './engine.ts';
import { gatherAtLeisure, type Looked } from './leisure.ts';
import { runInPage } from './in-page.ts';
import type { Page } from './page.ts';
import { withProgram } from './page-program.ts';
import type { Sketch } from './programs/sketch.ts';

const width = 320;
const quality = 60;
/** Characters of base64; more would be no small picture. */
const mostData = 60_000;
const mostElements = 3000;
/** Milliseconds that a capture may take; a window of full frames takes 20. */
const patience = 300;
/** Milliseconds, as measured; pages differ by their elements. */
const cost = { itself: 5, ofElement: 0.012 } as const;

/** @throws the signal's reason */
export async function writePicture(page: Page, run: WindowRun, look: Looked): Promise<void> {
  const picture = await gatherAtLeisure(run, look.leisure, {
    stage: 'take a picture of the page',
    milliseconds: cost.itself + cost.ofElement * Math.min(look.elements, mostElements),
    work: async () => (await captured(page, run)) ?? (await drawn(page)),
  });
  if (picture !== undefined && picture.detail.data.length <= mostData) run.log.write(picture);
}

/** What the window shows. A capture by the protocol would give the page another size, and be the end of us with its renderer. */
async function captured({ window }: Page, run: WindowRun): Promise<PictureEvent | undefined> {
  // Its frame may be a second old, and the next one a second away.
  if (window.kind === 'still') return undefined;
  const late = pause(patience, run.signal).then(() => undefined);
  const frame = await Promise.race([window.contents.capturePage(), late]);
  if (frame === undefined || frame.isEmpty()) return undefined;
  const small = frame.resize({ width, quality: 'good' });
  const data = small.toJPEG(quality).toString('base64');
  const { height } = small.getSize();
  return {
    kind: 'picture',
    text: 'The page before it was printed or captured.',
    detail: { type: 'image/jpeg', width, height, data },
  };
}

async function drawn({ window }: Page): Promise<PictureEvent | undefined> {
  const call = `program.sketch(${width}, ${mostElements})`;
  const made = await runInPage<Sketch | undefined>(window.contents, await withProgram('sketch', call));
  return (
    made && {
      kind: 'picture',
      text: 'The page before it was printed, drawn from its layout: without background images and effects.',
      detail: { type: 'image/jpeg', ...made },
    }
  );
}
