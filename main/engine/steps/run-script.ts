/** Runs `custom_javascript` in the page's own world, and waits for the images it may have added. */
import { Failure } from '../../failure/failure.ts';
import type { Loading } from '../loading.ts';
import { settle } from './settle.ts';

/** @throws Failure scriptThrew */
export async function runScript(loading: Loading): Promise<void> {
  const { custom_javascript } = loading.run.job.options;
  // A script that sends the page elsewhere would run there again, and again.
  if (custom_javascript === undefined || loading.done.has('custom_javascript')) return;
  loading.done.add('custom_javascript');
  const error = await loading.window.cdp.evaluate(custom_javascript);
  if (error !== undefined) throw new Failure('scriptThrew', `custom_javascript threw ${error}.`);
  await settle(loading);
}
