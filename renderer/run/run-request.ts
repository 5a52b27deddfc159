/** Runs the current request. */
import type { Bridge } from '../bridge/bridge.ts';
import { file, form, html, inputKind, template, url } from '../call/call.ts';
import { nameOf } from '../call/input/file-source.ts';
import { rememberUrl } from '../call/input/recent-urls.ts';
import { t } from '../texts/text.ts';
import { shownRun, startRun } from './runs.ts';
import { titleOfAddress, titleOfHtml } from './run-title.ts';

interface StartedRun {
  readonly number: number;
  /** Resolves when the run has ended, successfully or not. */
  readonly ended: Promise<void>;
}

export function runRequest(bridge: Bridge): StartedRun {
  if (inputKind.value === 'url') rememberUrl(url.value.trim());
  const ended = startRun(bridge, { form: form.value, title: titleOfCall() });
  // startRun has already selected the new run.
  return { number: shownRun.value ?? 0, ended };
}

function titleOfCall(): string {
  switch (inputKind.value) {
    case 'html':
      return titleOfHtml(html.value) ?? t('input.kind.html');
    case 'template':
      return titleOfHtml(template.value) ?? t('input.kind.template');
    case 'url':
      return titleOfAddress(url.value.trim());
    case 'file':
      return file.value === undefined ? t('input.kind.file') : nameOf(file.value);
  }
}
