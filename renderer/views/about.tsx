/** The "About" view: facts about the service, preferences, hot folders, pausing and the self-test. */
import { CloudOff } from 'lucide-preact';
import { AboutService } from '../about/about-service.tsx';
import { HotFolders } from '../about/hot-folders.tsx';
import { PauseService } from '../about/pause-service.tsx';
import { Preferences } from '../about/preferences.tsx';
import { Empty } from '../parts/empty.tsx';
import { SelfTestCard } from '../self-test/self-test-card.tsx';
import mark from '../style/mark.svg';
import { service, connectionError } from '../state/service-state.ts';
import { Waiting } from '../parts/waiting.tsx';
import { t } from '../texts/text.ts';
import '../about/about.css';

export function AboutView() {
  const state = service.value;
  const isOperator = state?.account.operator === true;
  return (
    <section class="view" aria-label={t('nav.about')}>
      <header class="view-head">
        <h1>{t('nav.about')}</h1>
      </header>
      <div class="view-body">
        <div class="column about">
          <div class="about-title">
            <img src={mark} alt="" />
            <div>
              <h2>{state === undefined ? 'Platen' : `Platen ${state.versions.platen}`}</h2>
              <p class="soft">{t('about.sentence')}</p>
            </div>
          </div>
          <div class="about-cards">
            {state === undefined ? <Unknown /> : <AboutService state={state} />}
            <Preferences />
          </div>
          {state !== undefined && <HotFolders state={state} />}
          {isOperator && <PauseService state={state} />}
          {isOperator && <SelfTestCard />}
          <p class="faint">{t('about.licence')}</p>
        </div>
      </div>
    </section>
  );
}

/** Shown until the first response of the service. */
function Unknown() {
  return (
    <div class="card">
      {connectionError.value === undefined ? (
        <Waiting>{t('loading')}</Waiting>
      ) : (
        <Empty icon={CloudOff} title={t('about.unknown')}>
          {t('about.unknown.sentence')}
        </Empty>
      )}
    </div>
  );
}
