/** Loads another document of the job's own into the window of a page that has been printed: a header, a footer. */
import type { Source } from '../input/source.ts';
import { unlessAborted } from '../run.ts';
import type { WindowRun } from './engine.ts';
import type { Loading } from './loading.ts';
import { emulate } from './steps/emulate.ts';
import { navigate } from './steps/navigate.ts';
import { settle } from './steps/settle.ts';
import type { EngineWindow } from './window.ts';

export interface OwnDocument {
  readonly source: Extract<Source, { kind: 'document' }>;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** The document is there, and may not go elsewhere, when this resolves. @throws the signal's reason */
export async function loadDocument(
  window: EngineWindow,
  { source, width, height }: OwnDocument,
  run: WindowRun,
): Promise<void> {
  const layout = { width, narrowest: width, aspect: height / width, height };
  const loading: Loading = { window, source, run, layout, layoutWidth: width, done: new Set() };
  window.frozen = false;
  for (const step of [emulate, navigate]) await unlessAborted(run.signal, step(loading));
  window.frozen = true;
  await unlessAborted(run.signal, settle(loading));
}

/** Waits once more for fonts and images, after the document was changed. */
export async function settleDocument(
  window: EngineWindow,
  document: OwnDocument,
  run: WindowRun,
): Promise<void> {
  const { source, width, height } = document;
  const layout = { width, narrowest: width, aspect: height / width, height };
  await unlessAborted(
    run.signal,
    settle({ window, source, run, layout, layoutWidth: width, done: new Set() }),
  );
}
