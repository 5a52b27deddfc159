/** A one-line summary of the selected run. */
import { Ban, CircleAlert, CircleCheck } from 'lucide-preact';
import type { Converted } from '../../main/console/contract.ts';
import { duration, size, t } from '../texts/text.ts';
import type { ConsoleRun } from './runs.ts';
import { phaseReached, phaseTextKey } from './run-phases.ts';
import { useElapsed } from './use-elapsed.ts';

export function RunSummary({ run }: { readonly run: ConsoleRun | undefined }) {
  if (run === undefined) return null;
  const { state } = run;
  switch (state.kind) {
    case 'running':
      return <Running run={run} stages={state.stages} />;
    case 'converted': {
      const facts = factsOf(state.outcome);
      return (
        <span class="run-summary" role="status" title={facts.join(' · ')}>
          <CircleCheck size={15} class="run-good" aria-hidden="true" />
          <span class="cut">{facts.join(' · ')}</span>
        </span>
      );
    }
    case 'failed':
      return (
        <span class="badge" data-tone="error" role="status">
          <CircleAlert size={12} aria-hidden="true" />
          {t('run.failed', { code: codeOf(state.outcome) })}
        </span>
      );
    case 'cancelled':
      return (
        <span class="badge" role="status">
          <Ban size={12} aria-hidden="true" />
          {t('run.cancelled')}
        </span>
      );
  }
}

function Running({ run, stages }: { readonly run: ConsoleRun; readonly stages: readonly string[] }) {
  const elapsed = useElapsed(run.began);
  return (
    <span class="run-summary">
      <span class="spinner" aria-hidden="true" />
      <span class="cut" role="status">
        {t(phaseTextKey(phaseReached(stages)))}
      </span>
      <span class="faint">{duration(elapsed)}</span>
    </span>
  );
}

/** Returns the facts as strings: `2 pages`, `43 kB`, `118 ms`, `1 credit`. */
export function factsOf({ pages, totalPages, bytes, took, credits }: Converted): string[] {
  const pageTexts =
    pages === undefined
      ? []
      : totalPages === undefined || totalPages === pages
        ? [t('run.pages', { pages })]
        : [t('run.pagesOf', { pages, total: totalPages })];
  return [...pageTexts, size(bytes), duration(took), ...(credits > 0 ? [t('run.credits', { credits })] : [])];
}

/**
 * Returns the status and reason code, such as `400.311`, as in the error messages of the service; `0` if the service did not
 * respond.
 */
export function codeOf({ status, reason }: { readonly status: number; readonly reason: number }): string {
  return reason === 0 ? String(status) : `${status}.${reason}`;
}
