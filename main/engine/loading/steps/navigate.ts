/**
 * Navigates the window to the source and waits until the page has loaded. Also applies options that concern the response:
 * default_encoding, and those that fail the job because of failed requests.
 */
import { Failure } from '../../../failure/failure.ts';
import { waitForLoad } from '../wait-for-load.ts';
import type { Options } from '../../../job/options.ts';
import type { Loading, StepWork } from '../loading.ts';
import { withDefaultCharset } from '../../../input/html-text.ts';
import { callInPage } from '../../devtools/evaluate.ts';
import { isRefusedAddress } from '../../../network/resolve-target.ts';
import { parsedUrl } from '../../../fields/parsed-url.ts';

/** @throws Failure pageNotLoaded, addressRefused, tooComplex; RendererLost; the signal's reason */
export async function navigate(loading: Loading): Promise<void> {
  const { window, source } = loading;
  const { context } = window;
  const address = source.kind === 'document' ? context.document.serve(source) : source.url.href;
  context.requests.open();
  await load(loading, address).catch(async (problem: unknown) => {
    // The server compresses the page, although it was asked not to.
    if (!context.requests.acceptCompressed()) throw problem;
    await load(loading, address);
  });
}

async function load(loading: Loading, address: string): Promise<void> {
  const { contents } = loading.window;
  // The promise of loadURL rejects if the page navigates while it loads. Therefore waitForLoad listens to events instead.
  contents.loadURL(address).catch(() => {});
  if (!contents.isLoadingMainFrame()) {
    throw new Failure(
      'pageNotLoaded',
      'The address could not be loaded: it is too long, or browsers do not support it.',
    );
  }
  await waitForLoad(loading, false);
}

/**
 * `default_encoding`: adds the encoding to the Content-Type of a remote page if neither the Content-Type nor the page declares one.
 */
export function assumeEncoding({ window, source, run }: Loading): StepWork | undefined {
  const { default_encoding } = run.job.options;
  const encoding = source.kind === 'remote' ? default_encoding : undefined;
  if (encoding === window.emulation.encoding) return undefined;
  return async () => {
    window.emulation = { ...window.emulation, encoding };
    await window.cdp.rewriteDocuments(
      encoding === undefined
        ? undefined
        : {
            rewrite: (contentType, bytes) => withDefaultCharset(contentType, bytes, encoding),
            transferredBytes: () => window.context.guard.transferredBytes(),
          },
    );
  };
}

/**
 * `disable_javascript` also disables page-preload.ts and the script that empties srcdoc frames (devtools/emulation.ts). This step
 * does their work in the loaded page, before the caller's scripts run.
 */
export function replacePreload({ window, run }: Loading): StepWork | undefined {
  const { disable_javascript, load_iframes } = run.job.options;
  return disable_javascript ? () => callInPage(window.contents, cleanUp, load_iframes === 'none') : undefined;
}

function cleanUp(frameless: boolean): void {
  window.name = '';
  try {
    window.sessionStorage.clear();
    window.localStorage.clear();
  } catch {
    // A sandboxed document has no storage.
  }
  if (frameless)
    for (const frame of document.querySelectorAll('iframe[srcdoc]')) frame.removeAttribute('srcdoc');
}

// `fail_on_main_url_error` and `fail_on_any_url_error`: fail the job because of failed requests.

/** @throws Failure pageNotLoaded if the status of the page itself is 400 or more */
export function failOnMainError({ window, run }: Loading): StepWork | undefined {
  if (!run.job.options.fail_on_main_url_error) return undefined;
  return () => {
    const status = window.context.requests.pageStatus();
    if (status < 400) return Promise.resolve();
    const address = hostOf(window.contents.getURL());
    const message = `The page of ${address} was answered with status ${status}.${remedyFor(status, run.job.options)}`;
    return Promise.reject(new Failure('pageNotLoaded', message));
  };
}

function remedyFor(status: number, { http_auth_user_name }: Options): string {
  if (status === 401)
    return http_auth_user_name === undefined
      ? ' It asks for credentials: send http_auth_user_name and http_auth_password.'
      : ' It does not accept the values of http_auth_user_name and http_auth_password.';
  if (status === 407) return ' A proxy asks for credentials.';
  const access = status === 403 ? 'Send the cookies or credentials that its server expects. ' : '';
  return ` ${access}Without fail_on_main_url_error, this answer is converted.`;
}

/** @throws Failure addressRefused, pageNotLoaded if any request has a status of 400 or more, failed, or is still pending */
export function failOnAnyError({ window, run }: Loading): StepWork | undefined {
  if (!run.job.options.fail_on_any_url_error) return undefined;
  return () => {
    window.context.requests.failPending();
    const [first, ...more] = window.context.requests.failures();
    if (first === undefined) return Promise.resolve();
    const plural = more.length === 1 ? '' : 's';
    const others =
      more.length === 0 ? '' : ` ${more.length} more request${plural} failed; see the debug log.`;
    const failure = isRefusedAddress(first.url, window.context.guard.refusals())
      ? new Failure('addressRefused', `The network policy does not allow ${first.url} to be loaded.${others}`)
      : new Failure('pageNotLoaded', `${first.url} ${first.how}.${others}`);
    return Promise.reject(failure);
  };
}

function hostOf(url: string): string {
  return parsedUrl(url)?.hostname ?? 'the document';
}
