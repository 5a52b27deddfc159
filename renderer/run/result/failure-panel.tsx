/** Why a run failed, and what to do about it. */
import { CircleAlert } from 'lucide-preact';
import type { Failed } from '../../../main/console/contract.ts';
import { formOptions } from '../../call/call.ts';
import { Button } from '../../parts/button.tsx';
import { duration, t } from '../../texts/text.ts';
import { resultTab, showOption } from '../../state/try-tabs.ts';
import { optionsIn, remedyFor } from './failure-help.ts';
import { codeOf } from '../run-summary.tsx';

export function FailurePanel({ outcome }: { readonly outcome: Failed }) {
  const remedy = remedyFor(outcome.reason);
  return (
    <section class="failure" role="alert">
      <header class="failure-head">
        <CircleAlert size={20} aria-hidden="true" />
        <h2>{t('run.failure.title')}</h2>
        <code class="badge" data-tone="error">
          {codeOf(outcome)}
        </code>
        <span class="faint">{duration(outcome.took)}</span>
      </header>
      <p class="failure-message">{outcome.message}</p>
      {remedy !== undefined && (
        <div class="failure-remedy">
          <h3>{t('run.failure.remedy')}</h3>
          <p>{remedy}</p>
        </div>
      )}
      <FailureActions outcome={outcome} />
    </section>
  );
}

/** A short note about the failure, shown above the result of an earlier run. */
export function FailureNote({ outcome }: { readonly outcome: Failed }) {
  return (
    <section class="failure-note" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div class="failure-note-text">
        <p>
          <strong>{t('run.failure.title')}</strong> <code>{codeOf(outcome)}</code>{' '}
          <span class="soft">{t('run.failure.older')}</span>
        </p>
        <p class="failure-note-message">{outcome.message}</p>
        <FailureActions outcome={outcome} />
      </div>
    </section>
  );
}

/** Links to the options that the message names, and to the explanation. */
function FailureActions({ outcome }: { readonly outcome: Failed }) {
  const named = optionsIn(outcome.message).filter((name) => formOptions.includes(name));
  return (
    <div class="failure-actions">
      {named.slice(0, 3).map((name) => (
        <Button
          key={name}
          onClick={() => {
            showOption(name);
          }}
        >
          <code>{name}</code>
        </Button>
      ))}
      {outcome.job !== null && (
        <Button
          onClick={() => {
            resultTab.value = 'explain';
          }}
        >
          {t('run.failure.explain')}
        </Button>
      )}
    </div>
  );
}
