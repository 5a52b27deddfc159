/** `fail_on_main_url_error` and `fail_on_any_url_error`: what did not arrive fails the conversion. */
import { Failure } from '../../failure/failure.ts';
import type { Loading, Work } from '../loading.ts';

/** @throws Failure pageNotLoaded when the page itself was answered with a status of 400 or more */
export function failOnMainError({ window, run }: Loading): Work | undefined {
  if (!run.job.options.fail_on_main_url_error) return undefined;
  return () => {
    const status = window.seat.requests.pageStatus();
    if (status < 400) return Promise.resolve();
    const address = hostOf(window.contents.getURL());
    const sentence = `The page of ${address} was answered with status ${status}.`;
    return Promise.reject(new Failure('pageNotLoaded', sentence));
  };
}

/** @throws Failure pageNotLoaded when anything was answered so, did not arrive, or is still on its way */
export function failOnAnyError({ window, run }: Loading): Work | undefined {
  if (!run.job.options.fail_on_any_url_error) return undefined;
  return () => {
    window.seat.requests.giveUp();
    const [first, ...more] = window.seat.requests.failures();
    if (first === undefined) return Promise.resolve();
    const others = more.length === 0 ? '' : ` ${more.length} more failed too; the debug log names them.`;
    return Promise.reject(new Failure('pageNotLoaded', `${first.url} ${first.how}.${others}`));
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : 'the document';
}
