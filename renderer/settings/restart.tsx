/** The restart banner: pending changes, confirmation, progress and result. */
import { CircleAlert, RotateCw } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import type { SettingsView } from '../../main/console/contract.ts';
import { useBridge } from '../bridge/bridge.ts';
import { ActionError, useAction } from '../parts/acting.tsx';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { showToast } from '../parts/toasts.tsx';
import { refreshService, service, connectionError } from '../shell/service-state.ts';
import { t } from '../texts/text.ts';
import { waitForRestart } from './restart-wait.ts';
import { addressChanges, waitsForRestart } from './setting-facts.ts';

interface RestartProps {
  readonly view: SettingsView;
  readonly onBack: () => Promise<void>;
}

/** Starts the service manually, if nothing else restarts it. */
const command = 'npm start';

export function RestartBanner({ view, onBack }: RestartProps) {
  const [asking, setAsking] = useState(false);
  if (view.problem !== undefined) return <FileProblem file={view.file} problem={view.problem} />;
  if (!view.restartNeeded && !asking) return null;
  const names = view.settings.filter(waitsForRestart).map(({ name }) => name);
  return (
    <>
      <div class="banner" role="status">
        <RotateCw size={18} aria-hidden="true" />
        <p class="banner-text">
          <strong>{t('settings.restart.needed')}.</strong>{' '}
          {names.length > 0 && t('settings.restart.names', { names: names.join(', ') })}{' '}
          {!view.restartable && t('settings.restart.by.hand', { command })}
        </p>
        {view.restartable ? (
          <Button
            onClick={() => {
              setAsking(true);
            }}
          >
            {t('settings.restart.ask')}
          </Button>
        ) : (
          <CopyButton text={() => command} label={t('settings.restart.copy')} />
        )}
      </div>
      {asking && (
        <RestartDialog
          {...{ view, onBack }}
          onClose={() => {
            setAsking(false);
          }}
        />
      )}
    </>
  );
}

function FileProblem({ file, problem }: { readonly file: string; readonly problem: string }) {
  return (
    <div class="banner" data-tone="error" role="alert">
      <CircleAlert size={18} aria-hidden="true" />
      <p class="banner-text">
        <strong>{t('settings.file.wrong')}.</strong> {t('settings.file.wrong.sentence', { file })}{' '}
        <span lang="en">{problem}</span>
      </p>
    </div>
  );
}

function RestartDialog({ view, onBack, onClose }: RestartProps & { readonly onClose: () => void }) {
  const bridge = useBridge();
  const [waiting, setWaiting] = useState(false);
  const { isBusy, problem, execute } = useAction();
  useEffect(() => {
    if (!waiting) return undefined;
    const leaving = new AbortController();
    const back = async () => {
      onClose();
      showToast(t('settings.restart.back'));
      await onBack();
      await refreshService();
    };
    void waitForRestart(bridge, leaving.signal).then((is) => (is ? back() : undefined));
    return () => {
      leaving.abort();
    };
  }, [waiting]);
  const restart = async () => {
    if (await execute(() => bridge.call('restart', {}))) setWaiting(true);
  };
  return (
    <Dialog
      title={t('settings.restart.title')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t(waiting ? 'action.close' : 'action.cancel')}</Button>
          {!waiting && (
            <Button tone="primary" icon={RotateCw} disabled={isBusy} onClick={() => void restart()}>
              {t('settings.restart.do')}
            </Button>
          )}
        </>
      }
    >
      {waiting ? <Waiting /> : <Asking view={view} />}
      <ActionError text={problem} />
    </Dialog>
  );
}

function Asking({ view }: { readonly view: SettingsView }) {
  const working = service.value?.working ?? 0;
  const address = addressChanges(view.settings);
  return (
    <>
      <p>{t('settings.restart.sentence', { working })}</p>
      {address.length > 0 && <p>{t('settings.restart.moves', { names: address.join(', ') })}</p>}
    </>
  );
}

function Waiting() {
  const working = service.value?.working ?? 0;
  const isSilent = connectionError.value !== undefined;
  return (
    <div class="restarting" role="status">
      <div class="spinner" />
      <p>{isSilent ? t('settings.restart.silent') : t('settings.restart.ending', { working })}</p>
    </div>
  );
}
