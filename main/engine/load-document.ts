/** Loads another document of the job's own into the window of a page that has been printed: a header, a footer. */
import type { Source } from '../input/source.ts';
import { layoutFor } from '../job/layout.ts';
import { unlessAborted } from '../signals.ts';
import type { WindowRun } from './engine.ts';
import type { Loading } from './loading.ts';
import { navigate } from './steps/navigate.ts';
import { settle } from './steps/settle.ts';
import { writeText } from './steps/write.ts';
import type { EngineWindow } from './window.ts';
import { isOpen } from './written.ts';

export type OwnDocument = Extract<Source, { kind: 'document' }>;

/**
 * The document is there, and may not go elsewhere, when this resolves. One that is only text and style is written where the page
 * was. The window keeps its size: another one would lay out the page before anew. @throws the signal's reason
 */
export async function loadDocument(window: EngineWindow, source: OwnDocument, run: WindowRun): Promise<void> {
  const { text } = source;
  if (text !== undefined && isOpen(window)) {
    const written = await unlessAborted(run.signal, writeText(text, window, run));
    if (written !== undefined) return;
  }
  const loading = loadingOf(window, source, run);
  window.frozen = false;
  await unlessAborted(run.signal, navigate(loading));
  window.frozen = true;
  await unlessAborted(run.signal, settle(loading));
}

/** Waits once more for fonts and images, after the document was changed. */
export async function settleDocument(
  window: EngineWindow,
  source: OwnDocument,
  run: WindowRun,
): Promise<void> {
  await unlessAborted(run.signal, settle(loadingOf(window, source, run)));
}

function loadingOf(window: EngineWindow, source: OwnDocument, run: WindowRun): Loading {
  const layout = layoutFor(run.job.options, run.job.given);
  return { window, source, run, layout, layoutWidth: layout.narrowest, done: new Set() };
}
