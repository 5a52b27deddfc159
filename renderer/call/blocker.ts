/** The reason why the current request cannot be converted. */
import { computed } from '@preact/signals';
import { connectionError, service } from '../state/service-state.ts';
import { file, hasInput, inputKind, url, invalidOptions } from './call.ts';
import { problemWithUrl } from './input/web-address.ts';

export type Blocker =
  'silent' | 'refused' | 'paused' | 'stopping' | 'unavailable' | 'input' | 'address' | 'tooLarge' | 'options';

/**
 * The first reason found: problems of the service come before problems of the request. Undefined if the request can be converted.
 */
export const blocker = computed<Blocker | undefined>(() => {
  if (connectionError.value !== undefined) return connectionError.value.status === 0 ? 'silent' : 'refused';
  const status = service.value?.status;
  if (status === 'paused' || status === 'stopping' || status === 'unavailable') return status;
  if (!hasInput.value) return 'input';
  if (inputKind.value === 'url' && problemWithUrl(url.value) !== undefined) return 'address';
  if (isTooLarge.value) return 'tooLarge';
  return invalidOptions.value.length > 0 ? 'options' : undefined;
});

/** Whether the upload exceeds the service's size limit. The service itself checks the size of a file on disk. */
export const isTooLarge = computed(() => {
  const input = file.value;
  const maxUpload = service.value?.maxUpload;
  if (inputKind.value !== 'file' || input?.kind !== 'upload' || maxUpload === undefined) return false;
  return input.file.size > maxUpload;
});
