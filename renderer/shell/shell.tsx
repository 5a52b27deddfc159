/** The frame around every view: the navigation, the banner with the service state, and toasts. */
import { CircleAlert, CirclePause } from 'lucide-preact';
import { useEffect } from 'preact/hooks';
import { formOptions } from '../call/call.ts';
import { BridgeContext, ServiceError, type Bridge } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { InteractionContext, type Interaction } from '../explain/interaction.ts';
import { showToast, Toasts } from '../parts/toasts.tsx';
import { t } from '../texts/text.ts';
import { requestTab, showOption } from '../state/try-tabs.ts';
import { views } from '../views/views.ts';
import { FirstKey } from './first-key.tsx';
import { Navigation } from './navigation.tsx';
import { refreshService, service, connectionError } from '../state/service-state.ts';
import { show, view } from '../state/current-view.ts';

export function Shell({ bridge }: { readonly bridge: Bridge }) {
  const View = views[view.value].view;
  useEffect(() => {
    bridge.native?.onViewChosen((view) => {
      if (view !== 'home') show('about', view === 'self-test' ? view : '');
    });
  }, []);
  return (
    <BridgeContext.Provider value={bridge}>
      <InteractionContext.Provider value={interaction}>
        <a class="skip" href="#content" onClick={focusContent}>
          {t('skip.to.content')}
        </a>
        <div class="shell">
          <Navigation />
          <main class="main" id="content" tabIndex={-1}>
            <Banner bridge={bridge} />
            <View key={view.value} />
          </main>
        </div>
        <FirstKey />
        <Toasts />
      </InteractionContext.Provider>
    </BridgeContext.Provider>
  );
}

/** Shows an option in the options form, or the Input tab for an option that is not in the form. */
const interaction: Interaction = {
  showOption(name) {
    if (formOptions.includes(name)) showOption(name);
    else {
      requestTab.value = 'input';
      show('try');
    }
  },
};

/** Moves the focus to the content. The link is not followed, because the URL fragment selects the view. */
function focusContent(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** Shows a state of the service that blocks all jobs, and what to do. */
function Banner({ bridge }: { readonly bridge: Bridge }) {
  const refusal = connectionError.value;
  const state = service.value;
  if (refusal !== undefined)
    return (
      <div class="banner" data-tone="error" role="alert">
        <CircleAlert size={18} aria-hidden="true" />
        <p class="banner-text">
          <strong>{t(refusal.status === 0 ? 'silent.title' : 'refused.title')}.</strong>{' '}
          {refusal.status === 0 ? t('silent.sentence') : refusal.message}
        </p>
      </div>
    );
  if (state?.status === 'paused')
    return (
      <div class="banner" role="status">
        <CirclePause size={18} aria-hidden="true" />
        <p class="banner-text">
          <strong>{t('paused.title')}.</strong> {t('paused.sentence')}
        </p>
        {state.account.operator && <Button onClick={() => void resume(bridge)}>{t('paused.resume')}</Button>}
      </div>
    );
  if (state?.status === 'unavailable')
    return (
      <div class="banner" data-tone="error" role="alert">
        <CircleAlert size={18} aria-hidden="true" />
        <p class="banner-text">
          <strong>{t('unavailable.title')}.</strong> {state.why}
        </p>
      </div>
    );
  return null;
}

async function resume(bridge: Bridge): Promise<void> {
  try {
    await bridge.call('resume', {});
    await refreshService();
  } catch (problem) {
    showToast(problem instanceof ServiceError ? problem.message : String(problem), 'error');
  }
}
