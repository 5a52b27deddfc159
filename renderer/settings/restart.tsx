/** The restart banner: pending changes, confirmation, progress and result. */
import { CircleAlert, RotateCw } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import type { SettingsView } from '../../main/console/contract.ts';
import { useBridge, type Bridge } from '../bridge/bridge.ts';
import { ActionError, useAction } from '../parts/use-action.tsx';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { showToast } from '../parts/toasts.tsx';
import { refreshService, service, connectionError } from '../state/service-state.ts';
import { t } from '../texts/text.ts';
import { addressChanges, waitsForRestart } from './setting-rules.ts';

interface RestartProps {
  readonly view: SettingsView;
  readonly onRestarted: () => Promise<void>;
}

/** The command that starts the service again. */
const command = 'npm start';

export function RestartBanner({ view, onRestarted }: RestartProps) {
  const [isConfirming, setConfirming] = useState(false);
  if (view.problem !== undefined) return <FileProblem file={view.file} problem={view.problem} />;
  if (!view.restartNeeded && !isConfirming) return null;
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
              setConfirming(true);
            }}
          >
            {t('settings.restart.ask')}
          </Button>
        ) : (
          <CopyButton text={() => command} label={t('settings.restart.copy')} />
        )}
      </div>
      {isConfirming && (
        <RestartDialog
          view={view}
          onRestarted={onRestarted}
          onClose={() => {
            setConfirming(false);
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

function RestartDialog({ view, onRestarted, onClose }: RestartProps & { readonly onClose: () => void }) {
  const bridge = useBridge();
  const [isWaiting, setWaiting] = useState(false);
  const { isBusy, problem, execute } = useAction();
  useEffect(() => {
    if (!isWaiting) return undefined;
    const stop = new AbortController();
    const finish = async () => {
      onClose();
      showToast(t('settings.restart.back'));
      await onRestarted();
      await refreshService();
    };
    void waitForRestart(bridge, stop.signal).then((hasRestarted) => (hasRestarted ? finish() : undefined));
    return () => {
      stop.abort();
    };
  }, [isWaiting]);
  const restart = async () => {
    if (await execute(() => bridge.call('restart', {}))) setWaiting(true);
  };
  return (
    <Dialog
      title={t('settings.restart.title')}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{t(isWaiting ? 'action.close' : 'action.cancel')}</Button>
          {!isWaiting && (
            <Button tone="primary" icon={RotateCw} disabled={isBusy} onClick={() => void restart()}>
              {t('settings.restart.do')}
            </Button>
          )}
        </>
      }
    >
      {isWaiting ? <Progress /> : <Confirmation view={view} />}
      <ActionError text={problem} />
    </Dialog>
  );
}

function Confirmation({ view }: { readonly view: SettingsView }) {
  const working = service.value?.working ?? 0;
  const changedNames = addressChanges(view.settings);
  return (
    <>
      <p>{t('settings.restart.sentence', { working })}</p>
      {changedNames.length > 0 && <p>{t('settings.restart.moves', { names: changedNames.join(', ') })}</p>}
    </>
  );
}

function Progress() {
  const working = service.value?.working ?? 0;
  const isUnreachable = connectionError.value !== undefined;
  return (
    <div class="restarting" role="status">
      <div class="spinner" />
      <p>{isUnreachable ? t('settings.restart.silent') : t('settings.restart.ending', { working })}</p>
    </div>
  );
}

const pollIntervalMs = 1000;

/** Resolves to true when the service runs with the settings in the file, or to false if `stopSignal` aborts. */
async function waitForRestart(bridge: Pick<Bridge, 'call'>, stopSignal: AbortSignal): Promise<boolean> {
  while (!stopSignal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    const isBack = await bridge.call('settings', {}).then(
      ({ restartNeeded }) => !restartNeeded,
      // The service does not respond, or the old process is still stopping.
      () => false,
    );
    if (isBack) return !stopSignal.aborted;
  }
  return false;
}
