/** Runs `custom_javascript` in the page's own world, and waits for the images it may have added. */
import { Failure } from '../../failure/failure.ts';
import type { Loading } from '../loading.ts';
import { settle } from './settle.ts';

/** @throws Failure scriptThrew */
export async function runScript(loading: Loading): Promise<void> {
  const { custom_javascript } = loading.run.job.options;
  if (custom_javascript === undefined) return;
  const error = await loading.window.cdp.evaluate(custom_javascript);
  if (error !== undefined) throw new Failure('scriptThrew', `custom_javascript threw ${error}`);
  await settle(loading);
}
