/**
 * Writes an inline document (inline-document.ts) into the page that the window shows. This saves a navigation, which takes most of
 * the time of a short job. Also loads the documents of headers and footers.
 */
import type { WindowRun } from '../../window-run.ts';
import { executeJavaScript } from '../../devtools/page-calls.ts';
import { openPage } from '../../requests/job-document.ts';
import type { Loading, StepWork } from '../loading.ts';
import { loadTimeoutLeft } from '../load-timeout.ts';
import type { EngineWindow } from '../../window/engine-window.ts';
import { showsInlineDocumentPage, inlineHtmlOf } from '../inline-document.ts';
import { waitForFontsAndImages, loadFontsAndImages, type LoadResult } from './load-fonts-and-images.ts';
import type { Source } from '../../../input/source.ts';
import { layoutFor } from '../../../job/layout.ts';
import { unlessAborted } from '../../../async/signals.ts';
import { navigate } from './navigate.ts';

export function writeInlineDocument(loading: Loading): StepWork | undefined {
  const { window, source, run } = loading;
  const text = window.kind === 'static' ? inlineHtmlOf(run, source) : undefined;
  if (text === undefined) return undefined;
  return async () => {
    if (!showsInlineDocumentPage(window)) await window.contents.loadURL(openPage);
    const state = await writeText(text, window, run);
    if (state !== undefined) loading.inlineState = state;
    run.log.setStageReason(
      state === undefined
        ? 'the empty page blocked part of the document, so the next stage loads the document'
        : 'the document has no scripts and no files, so it was written into an empty page without a request',
    );
  };
}

/**
 * Replaces the content of the window's page with a document. Returns `complete` if all fonts and images have loaded, otherwise
 * `partial`. Returns undefined if the page's Content-Security-Policy blocked part of the document, or if the document has elements
 * that may load something; the window must then navigate to the document.
 */
export async function writeText(
  text: string,
  { contents, context }: EngineWindow,
  run: WindowRun,
): Promise<Loading['inlineState']> {
  const timeoutMs = loadTimeoutLeft(run, context.requests.elapsedMs(), 1 / 4);
  // Runs in the main world, because the page's Content-Security-Policy does not apply to documents that an isolated world writes.
  const code = `(${writeDocument.toString()})(${stringLiteral(text)}, () => (${waitForFontsAndImages.toString()})(false, ${timeoutMs}, true))`;
  const { refused, pending } = (await executeJavaScript(contents, code)) as WriteResult;
  if (refused) return undefined;
  return pending === 0 ? 'complete' : 'partial';
}

/** Returns a JavaScript literal for the text. For megabytes, JSON.stringify takes ten times as long as a template literal. */
function stringLiteral(text: string): string {
  const needsEscapes = ['`', '\\', '${', '\r'].some((mark) => text.includes(mark));
  return needsEscapes ? JSON.stringify(text) : `\`${text}\``;
}

interface WriteResult {
  /** The page's Content-Security-Policy has blocked something, or the document has an element that may load something. */
  readonly refused: boolean;
  /** Number of images that are still loading, plus 1 if fonts are still loading. */
  readonly pending: number;
}

/** Writes the document and waits until its fonts and images have loaded. Runs inside the page. */
async function writeDocument(html: string, loadAll: () => Promise<LoadResult>): Promise<WriteResult> {
  const policy = { isViolated: false };
  // The violation event of a blocked frame fires too late. Therefore also search for elements that may load something.
  const unsupported = 'script, iframe, frame, object, embed, base, link, form, meta[http-equiv]';
  const onViolation = () => (policy.isViolated = true);
  document.open();
  // document.open removes event listeners.
  document.addEventListener('securitypolicyviolation', onViolation);
  // document.write is deprecated because of the scripts it runs; here the policy blocks scripts.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  document.write(html);
  document.close();
  const { pending } = await loadAll();
  // The violation event fires in a separate task.
  await new Promise((resolve) => setTimeout(resolve));
  document.removeEventListener('securitypolicyviolation', onViolation);
  window.scrollTo(0, 0);
  return { refused: policy.isViolated || document.querySelector(unsupported) !== null, pending };
}

/** Removes everything from the window's document, even if scripts are disabled. The page keeps its address. */
export async function emptyDocument({ cdp }: Pick<EngineWindow, 'cdp'>): Promise<void> {
  await cdp.evaluate('document.open(); document.close();');
}

// Header and footer documents are loaded into the window of the main page after that page has been printed.

type InlineSource = Extract<Source, { kind: 'document' }>;

/**
 * Loads the document and prevents it from navigating afterwards. Writes it into the current page if it is static. The viewport
 * keeps its size, because a change would lay out the previous page again.
 * @throws whatever `navigate` throws; the signal's reason
 */
export async function loadHeaderFooter(
  window: EngineWindow,
  source: InlineSource,
  run: WindowRun,
): Promise<void> {
  const { staticText } = source;
  if (staticText !== undefined && showsInlineDocumentPage(window)) {
    const state = await unlessAborted(run.signal, writeText(staticText.html, window, run));
    if (state !== undefined) return;
  }
  const loading = loadingOf(window, source, run);
  window.isNavigationBlocked = false;
  await unlessAborted(run.signal, navigate(loading));
  window.isNavigationBlocked = true;
  await unlessAborted(run.signal, loadFontsAndImages(loading));
}

/** Waits again for fonts and images after the document was changed. */
export async function waitForHeaderFooter(
  window: EngineWindow,
  source: InlineSource,
  run: WindowRun,
): Promise<void> {
  await unlessAborted(run.signal, loadFontsAndImages(loadingOf(window, source, run)));
}

function loadingOf(window: EngineWindow, source: InlineSource, run: WindowRun): Loading {
  const layout = layoutFor(run.job.options, run.job.givenOptions);
  return { window, source, run, layout, layoutWidth: layout.minWidth, scriptsRun: new Set() };
}
