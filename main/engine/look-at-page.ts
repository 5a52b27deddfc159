/** What the debug log says of a page before it is printed or captured: its images, its encoding, its picture. */
import type { EncodingEvent } from '../log/events.ts';
import type { WindowRun } from './engine.ts';
import { gatherAtLeisure, leisureFor, type Looked } from './leisure.ts';
import { runInPage } from './in-page.ts';
import { writePicture } from './look-picture.ts';
import type { Page } from './page.ts';
import { withProgram } from './page-program.ts';
import type { Look, Wishes } from './programs/look.ts';
import { shown } from './shown-address.ts';

/** More would take longer than they are worth. */
const mostElements = 20_000;
/** Milliseconds, as measured of a thousand elements. */
const cost = 5;

/**
 * Writes what can be told now; what is told only after the print is in the result. Undefined when nobody asked for a log, or
 * when the page does not answer. `density`: pixels of the output for each CSS pixel. @throws the signal's reason
 */
export async function lookAtPage(page: Page, run: WindowRun, density: number): Promise<Looked | undefined> {
  if (!run.log.recorded) return undefined;
  const leisure = leisureFor(page.window, run);
  if (leisure === undefined) return undefined;
  const wishes: Wishes = { density, most: mostElements };
  const look = await gatherAtLeisure(run, leisure, {
    stage: 'look at the page',
    milliseconds: cost,
    work: () => lookInside(page, wishes),
  });
  if (look === undefined) return undefined;
  if (look.elements > mostElements)
    run.log.note(`The page has more than ${mostElements} elements; this log tells of the first ones.`);
  writeImages(run, look);
  writeEncoding(page, run, look);
  await writePicture(page, run, { ...look, leisure });
  return { ...look, leisure };
}

async function lookInside({ window }: Page, wishes: Wishes): Promise<Look> {
  return runInPage<Look>(
    window.contents,
    await withProgram('look', `program.look(${JSON.stringify(wishes)})`),
  );
}

function writeImages({ log }: WindowRun, look: Look): void {
  const images = look.images.map((image) => ({ ...image, url: shown(image.url) }));
  if (images.length === 0) return;
  const sentences = images.map(({ url, problem, natural, shown }) =>
    problem === 'broken'
      ? `${url} cannot be shown`
      : `${url} has ${natural.width} x ${natural.height} pixels and is shown at ${shown.width} x ${shown.height}`,
  );
  log.write({ kind: 'images', text: `${sentences.join('; ')}.`, detail: { images } });
}

function writeEncoding(page: Page, { log, job }: WindowRun, { encoding: found }: Look): void {
  const { encoding, meta, replaced, garbled } = found;
  const declared = declaredBy(page, job.input.kind === 'text') ?? (meta ? 'meta' : 'nothing');
  const words = {
    header: 'as its Content-Type says',
    meta: 'as it declares',
    mark: 'by its byte order mark',
    nothing: 'declared nowhere',
  };
  const faults = [
    ...(replaced > 0 ? [`${replaced} characters could not be read`] : []),
    ...(garbled === undefined ? [] : [`"${garbled}" looks like UTF-8 that was read as something else`]),
  ];
  const text = [`The document was read as ${encoding}, ${words[declared]}`, ...faults].join('; ');
  const detail = { encoding, declared, replaced, ...(garbled !== undefined && { garbled }) };
  log.write({ kind: 'encoding', text: `${text}.`, detail });
}

/** A byte order mark beats a Content-Type, and that a declaration; what is said of a file's type is our own guess (charset.ts). */
function declaredBy(
  { source, window }: Page,
  isText: boolean,
): EncodingEvent['detail']['declared'] | undefined {
  if (source.kind === 'remote')
    return window.seat.requests.pageCharset() === undefined ? undefined : 'header';
  const start = source.bytes.toString('latin1', 0, 3);
  if (/^(\xef\xbb\xbf|\xfe\xff|\xff\xfe)/.test(start)) return 'mark';
  return isText ? 'header' : undefined;
}
