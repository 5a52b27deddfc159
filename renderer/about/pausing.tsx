/** Pauses and resumes the service: new jobs are refused, running ones finish. */
import { CirclePause, CirclePlay } from 'lucide-preact';
import type { ConsoleState } from '../../main/console/contract.ts';
import { useBridge } from '../bridge/bridge.ts';
import { Problem, useActing } from '../parts/acting.tsx';
import { Button } from '../parts/button.tsx';
import { askNow } from '../shell/service-state.ts';
import { t } from '../texts/text.ts';

export function Pausing({ state }: { readonly state: ConsoleState }) {
  const bridge = useBridge();
  const { busy, problem, act } = useActing();
  const isPaused = state.is === 'paused';
  const change = () =>
    act(async () => {
      await bridge.call(isPaused ? 'resume' : 'pause', {});
      await askNow();
    });
  return (
    <section class="card" aria-labelledby="pausing">
      <div class="card-head about-row">
        <div class="about-words">
          <h2 id="pausing">{t('about.pause.title')}</h2>
          <p class="soft">{t(isPaused ? 'about.pause.is' : 'about.pause.sentence')}</p>
          <Problem text={problem} />
        </div>
        <Button icon={isPaused ? CirclePlay : CirclePause} disabled={busy} onClick={() => void change()}>
          {t(isPaused ? 'paused.resume' : 'about.pause.do')}
        </Button>
      </div>
    </section>
  );
}
