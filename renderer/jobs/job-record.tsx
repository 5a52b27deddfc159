/** The recorded facts of a job without a debug log: its stages and its options. */
import type { JobView } from '../../main/console/contract.ts';
import { percent } from '../../main/log/waterfall.ts';
import { OptionTable } from '../explain/options.tsx';
import '../explain/styles.ts';
import { Bars } from '../explain/timeline/time-bars.tsx';
import { duration, t } from '../texts/text.ts';
import { consecutiveStages } from '../explain/timeline/stage-spans.ts';

export function JobRecord({ job }: { readonly job: JobView }) {
  const { outcome, stages, parameters } = job;
  const spans = consecutiveStages(stages ?? {});
  return (
    <div class="explain">
      {outcome !== null && (
        <p class="explain-part soft">
          {t(outcome === 'failed' ? 'job.unexplained.failed' : 'job.unexplained')}
        </p>
      )}
      {spans.length > 0 && <Stages spans={spans} />}
      {parameters !== null && <SetOptions parameters={parameters} />}
    </div>
  );
}

function Stages({ spans }: { readonly spans: ReturnType<typeof consecutiveStages> }) {
  const totalMs = spans.at(-1)?.to ?? 0;
  return (
    <section class="explain-part">
      <h2>{t('job.stages')}</h2>
      <table class="explain-table">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{t('explain.stage')}</th>
            <th scope="col">{t('explain.took')}</th>
            <th scope="col">{t('explain.share')}</th>
            <th scope="col">{t('explain.when')}</th>
          </tr>
        </thead>
        <tbody>
          {spans.map(({ stage, from, to }) => (
            <tr key={stage}>
              <th scope="row" lang="en" class="stage-name">
                {stage}
              </th>
              <td class="end stage-took">{duration(to - from)}</td>
              <td class="end faint stage-took explain-wide">{Math.round(percent(to - from, totalMs))} %</td>
              <td class="explain-time">
                <Bars bars={[{ from, to, kind: 'stage' }]} totalMs={totalMs} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SetOptions({ parameters }: { readonly parameters: NonNullable<JobView['parameters']> }) {
  const options = Object.entries(parameters).map(([name, value]) => ({ name, value }));
  return (
    <section class="explain-part">
      <h2>{t('job.parameters')}</h2>
      {options.length === 0 && <p class="soft">{t('job.parameters.none')}</p>}
      <OptionTable options={options} />
    </section>
  );
}
