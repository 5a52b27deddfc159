/** What stands in the way of converting the call as it is. */
import { computed } from '@preact/signals';
import { silence, service } from '../shell/service-state.ts';
import { file, hasInput, inputKind, url, wrongOptions } from './call.ts';
import { problemWithAddress } from './web-address.ts';

export type Obstacle =
  'silent' | 'refused' | 'paused' | 'stopping' | 'trouble' | 'input' | 'address' | 'tooLarge' | 'options';

/** The first of them, those of the service before those of the call; undefined: it can be converted. */
export const obstacle = computed<Obstacle | undefined>(() => {
  if (silence.value !== undefined) return silence.value.status === 0 ? 'silent' : 'refused';
  const is = service.value?.is;
  if (is === 'paused' || is === 'stopping' || is === 'trouble') return is;
  if (!hasInput.value) return 'input';
  if (inputKind.value === 'url' && problemWithAddress(url.value) !== undefined) return 'address';
  if (isTooLarge.value) return 'tooLarge';
  return wrongOptions.value.length > 0 ? 'options' : undefined;
});

/** Of an upload: what is on the disk is weighed by the service. */
export const isTooLarge = computed(() => {
  const [input, most] = [file.value, service.value?.maxUpload];
  if (inputKind.value !== 'file' || input?.kind !== 'upload' || most === undefined) return false;
  return input.file.size > most;
});
