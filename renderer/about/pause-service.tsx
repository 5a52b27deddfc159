/** Pauses and resumes the service. A paused service refuses new jobs; running jobs finish. */
import { CirclePause, CirclePlay } from 'lucide-preact';
import type { ConsoleState } from '../../main/console/contract.ts';
import { useBridge } from '../bridge/bridge.ts';
import { ActionError, useAction } from '../parts/use-action.tsx';
import { Button } from '../parts/button.tsx';
import { refreshService } from '../state/service-state.ts';
import { t } from '../texts/text.ts';

export function PauseService({ state }: { readonly state: ConsoleState }) {
  const bridge = useBridge();
  const { isBusy, problem, execute } = useAction();
  const isPaused = state.status === 'paused';
  const change = () =>
    execute(async () => {
      await bridge.call(isPaused ? 'resume' : 'pause', {});
      await refreshService();
    });
  return (
    <section class="card" aria-labelledby="pausing">
      <div class="card-head about-row">
        <div class="about-text">
          <h2 id="pausing">{t('about.pause.title')}</h2>
          <p class="soft">{t(isPaused ? 'about.pause.is' : 'about.pause.sentence')}</p>
          <ActionError text={problem} />
        </div>
        <Button icon={isPaused ? CirclePlay : CirclePause} disabled={isBusy} onClick={() => void change()}>
          {t(isPaused ? 'paused.resume' : 'about.pause.do')}
        </Button>
      </div>
    </section>
  );
}
