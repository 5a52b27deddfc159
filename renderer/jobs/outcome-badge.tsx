/** The outcome of a job as a badge with an icon. */
import type { JobView } from '../../main/console/contract.ts';
import { t } from '../texts/text.ts';
import { outcomes } from './job-words.ts';

export function OutcomeBadge({ job: { outcome } }: { readonly job: Pick<JobView, 'outcome'> }) {
  const { text, tone, icon: Icon } = outcomes[outcome ?? 'under way'];
  return (
    <span class="badge outcome" data-tone={tone} title={t(text)}>
      <Icon size={12} strokeWidth={2.5} aria-hidden="true" />
      <span class="outcome-word">{t(text)}</span>
    </span>
  );
}
