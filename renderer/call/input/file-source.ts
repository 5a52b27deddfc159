/** Uses a chosen or dropped file as the input of the request. */
import { signal } from '@preact/signals';
import type { Bridge } from '../../bridge/bridge.ts';
import { showToast } from '../../parts/toasts.tsx';
import { t } from '../../texts/text.ts';
import { requestTab } from '../../state/try-tabs.ts';
import { data, file, html, inputKind, type FileSource } from '../call.ts';
import { fileKindOf } from './file-kind.ts';

/** Whether the user has opened each editor. An opened editor stays open when its text is deleted. */
export const editorOpened = signal({ html: false, template: false });

/** Uses a dropped file as the input. While a template is the input type, a dropped data file becomes the data of the template. */
export async function handleDrop(bridge: Bridge, transfer: DataTransfer): Promise<void> {
  const isFolder = transfer.items[0]?.webkitGetAsEntry()?.isDirectory === true;
  const [first, ...others] = transfer.files;
  if (first === undefined) return;
  if (others.length > 0) {
    showToast(t('input.drop.several'), 'error');
    return;
  }
  if (inputKind.value === 'template' && !isFolder && fileKindOf(first.name) === 'data') {
    data.value = await first.text();
    editorOpened.value = { ...editorOpened.value, template: true };
    requestTab.value = 'input';
    return;
  }
  const picked = await bridge.native?.registerDrop(first);
  if (picked !== undefined) setFileInput({ kind: 'disk', picked });
  else if (isFolder) showToast(t('input.drop.folder'), 'error');
  else setFileInput({ kind: 'upload', file: first });
}

export function setFileInput(input: FileSource): void {
  file.value = input;
  inputKind.value = 'file';
  requestTab.value = 'input';
}

/** Loads the text of the file into the HTML editor. */
export async function openInEditor(bridge: Bridge, input: FileSource): Promise<void> {
  html.value = await textOf(bridge, input);
  editorOpened.value = { ...editorOpened.value, html: true };
  inputKind.value = 'html';
}

async function textOf(bridge: Bridge, input: FileSource): Promise<string> {
  if (input.kind === 'upload') return input.file.text();
  return (await bridge.native?.readText(input.picked.id)) ?? '';
}

export function nameOf(input: FileSource): string {
  return input.kind === 'upload' ? input.file.name : input.picked.name;
}
