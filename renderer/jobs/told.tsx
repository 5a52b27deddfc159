/** Why a job has no output, and what to do about it. A failed job with a debug log shows its findings instead. */
import type { JobView } from '../../main/console/contract.ts';
import { adviceFor } from '../../main/log/findings/outcome.ts';
import { OptionLink } from '../explain/option-link.tsx';
import { t } from '../texts/text.ts';

export function Told({ job }: { readonly job: JobView }) {
  switch (job.outcome) {
    case 'failed':
      return job.explained ? null : <Failed job={job} />;
    case 'interrupted':
      return <Stopped>{t('job.interrupted')}</Stopped>;
    case 'caller gone':
      return <Stopped>{t('job.callerGone')}</Stopped>;
    case 'converted':
    case null:
      return null;
  }
}

function Stopped({ children }: { readonly children: string }) {
  return (
    <p class="job-told" data-tone="warning">
      {children}
    </p>
  );
}

function Failed({ job: { message, reason } }: { readonly job: JobView }) {
  const text = message ?? '';
  const detail = { stage: 'start', ...(reason !== null && { reason }) };
  const { remedy, options = [] } = adviceFor({ failure: { text, detail }, events: [], derived: [] });
  return (
    <div class="job-told" data-tone="error">
      <p>
        <bdi lang="en">{[text, remedy].filter((part) => part !== undefined && part !== '').join(' ')}</bdi>
      </p>
      {options.length > 0 && (
        <p class="findings-options">
          {[...new Set(options)].map((name) => (
            <OptionLink key={name} name={name} />
          ))}
        </p>
      )}
    </div>
  );
}
