/** The progress of the first run, phase by phase. */
import { Check } from 'lucide-preact';
import { duration, t } from '../texts/text.ts';
import { useElapsed } from './elapsed.ts';
import type { Run } from './runs.ts';
import { phaseReached, phases, wordsFor } from './stage-words.ts';

export function RunProgress({ run }: { readonly run: Run }) {
  const elapsed = useElapsed(run.began);
  const now = phases.indexOf(phaseReached(run.state.is === 'running' ? run.state.stages : []));
  return (
    <div class="run-progress">
      <h2 class="cut" title={run.title}>
        {run.title}
      </h2>
      <ol aria-label={t('run.progress')}>
        {phases.map((phase, index) => (
          <li
            key={phase}
            data-is={index < now ? 'done' : index === now ? 'now' : 'later'}
            aria-current={index === now ? 'step' : undefined}
          >
            <span class="run-progress-mark">
              {index < now ? (
                <Check size={14} aria-hidden="true" />
              ) : (
                index === now && <span class="spinner" />
              )}
            </span>
            {t(wordsFor(phase))}
          </li>
        ))}
      </ol>
      <p class="faint">{t('run.elapsed', { time: duration(elapsed) })}</p>
    </div>
  );
}
