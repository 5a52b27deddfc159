/** Uses a chosen or dropped file as the input of the call. */
import { signal } from '@preact/signals';
import type { Bridge } from '../../bridge/bridge.ts';
import { tell } from '../../parts/toasts.tsx';
import { t } from '../../texts/text.ts';
import { callTab } from '../../views/try-tabs.ts';
import { data, file, html, inputKind, type ChosenInput } from '../call.ts';
import { fileKindOf } from './file-kind.ts';

/** Whether the user has left the empty state, so that the editor stays when its text is deleted. */
export const started = signal({ html: false, template: false });

/** Handles a drop anywhere on the view. Data files go to the template, if a template is being written. */
export async function giveDropped(bridge: Bridge, transfer: DataTransfer): Promise<void> {
  const isFolder = transfer.items[0]?.webkitGetAsEntry()?.isDirectory === true;
  const [first, ...others] = transfer.files;
  if (first === undefined) return;
  if (others.length > 0) {
    tell(t('input.drop.several'), 'error');
    return;
  }
  if (inputKind.value === 'template' && !isFolder && fileKindOf(first.name) === 'data') {
    data.value = await first.text();
    started.value = { ...started.value, template: true };
    callTab.value = 'input';
    return;
  }
  const chosen = await bridge.desk?.dropped(first);
  if (chosen !== undefined) giveFile({ kind: 'disk', chosen });
  else if (isFolder) tell(t('input.drop.folder'), 'error');
  else giveFile({ kind: 'upload', file: first });
}

export function giveFile(input: ChosenInput): void {
  file.value = input;
  inputKind.value = 'file';
  callTab.value = 'input';
}

/** Loads the text of the file into the editor. */
export async function openInEditor(bridge: Bridge, input: ChosenInput): Promise<void> {
  html.value = await textOf(bridge, input);
  started.value = { ...started.value, html: true };
  inputKind.value = 'html';
}

async function textOf(bridge: Bridge, input: ChosenInput): Promise<string> {
  if (input.kind === 'upload') return input.file.text();
  return (await bridge.desk?.read(input.chosen.id)) ?? '';
}

export function nameOf(input: ChosenInput): string {
  return input.kind === 'upload' ? input.file.name : input.chosen.name;
}
