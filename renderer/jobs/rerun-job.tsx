/** Prepares a job to run again: fills the Try view with the job's request, as far as it is recorded. */
import { batch } from '@preact/signals';
import { RotateCcw } from 'lucide-preact';
import type { JobView } from '../../main/console/contract.ts';
import { inputKind, options, url } from '../call/call.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { showToast } from '../parts/toasts.tsx';
import { show } from '../state/current-view.ts';
import { t } from '../texts/text.ts';
import { requestTab } from '../state/try-tabs.ts';
import { requestOfRun, fillFromRun } from './fill-call.ts';
import { restoredRequest, type RestoredRequest } from './restored-request.ts';

/**
 * Returns whether the record lacks values that the user must enter again. For a run of this console session, the complete request
 * is in memory.
 */
export function needsConfirmation(job: JobView): boolean {
  if (requestOfRun(job.id) !== undefined) return false;
  const { isInputMissing, missing } = restoredRequest(job);
  return isInputMissing || missing.length > 0;
}

export function fillFormFromJob(job: JobView): void {
  const form = requestOfRun(job.id);
  if (form !== undefined) fillFromRun(form);
  else fillFromRecord(restoredRequest(job));
  requestTab.value = 'input';
  show('try');
  if (!needsConfirmation(job)) showToast(t('again.filled'));
}

function fillFromRecord(call: RestoredRequest): void {
  batch(() => {
    inputKind.value = call.kind;
    if (call.url !== undefined) url.value = call.url;
    options.value = call.options;
  });
}

export function RerunDialog({ job, onClose }: { readonly job: JobView; readonly onClose: () => void }) {
  const call = restoredRequest(job);
  const completeForm = () => {
    onClose();
    fillFormFromJob(job);
  };
  return (
    <Dialog
      title={t('again.title')}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button tone="primary" icon={RotateCcw} onClick={completeForm}>
            {t('again.fill')}
          </Button>
        </>
      }
    >
      <p>{t('again.sentence')}</p>
      <ul class="again-missing">
        {call.isInputMissing && (
          <li>
            <bdi>{missingInputText(job, call)}</bdi>
          </li>
        )}
        {call.missing.map(({ name, why }) => (
          <li key={name}>
            <code>{name}</code> <span class="faint">{t(`again.missing.${why}`)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function missingInputText({ input }: JobView, { kind, file, url }: RestoredRequest): string {
  if (input === null) return t('again.input.none');
  if (input === 'file') return t('again.input.file', { name: file ?? '' });
  if (input === 'url') return `${url ?? 'url'}: ${t('again.missing.truncated')}`;
  return t(kind === 'template' ? 'again.input.template' : 'again.input.text');
}
