/** The bar of the Try view: starts and cancels runs, shows what prevents a run, and summarises and saves the selected run. */
import { Columns2, Download, Play, Square, CircleAlert } from 'lucide-preact';
import { useEffect } from 'preact/hooks';
import { useBridge, type Bridge } from '../bridge/bridge.ts';
import { hasInput, invalidOptions } from '../call/call.ts';
import { blocker, type Blocker } from '../call/blocker.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Switch } from '../parts/field.tsx';
import { show } from '../state/current-view.ts';
import { t } from '../texts/text.ts';
import { requestTab, showOption } from '../state/try-tabs.ts';
import { downloadRun } from './download-run.ts';
import { DropArea } from './drop-area.tsx';
import { useElapsed } from './use-elapsed.ts';
import { FormatChoice } from './format-choice.tsx';
import { startLiveMode, isLive, setLive } from './live-mode.ts';
import { runRequest } from './run-request.ts';
import { RunHistory } from './run-history.tsx';
import { RunSummary } from './run-summary.tsx';
import { cancelRun, runByNumber, runs, shownRun, type ConsoleRun } from './runs.ts';
import './run.css';

export function RunBar() {
  const bridge = useBridge();
  const run = runByNumber(shownRun.value);
  useEffect(() => startLiveMode(bridge), [bridge]);
  useEffect(() => listenForKeys(bridge), [bridge]);
  return (
    <header class="view-head run-bar">
      <h1>{t('nav.try')}</h1>
      <FormatChoice />
      <span class="run-live" title={t('run.live.hint')}>
        <Switch label={t('run.live')} on={isLive.value} onSwitch={setLive} />
      </span>
      <span class="view-head-space" />
      {blocker.value !== undefined && hasInput.value ? <BlockerNote /> : <RunSummary run={run} />}
      <span class="run-actions">
        <ResultActions bridge={bridge} run={run} />
        <MainAction bridge={bridge} run={runs.value.find(isRunning)} />
      </span>
      <DropArea />
    </header>
  );
}

function ResultActions({ bridge, run }: { readonly bridge: Bridge; readonly run: ConsoleRun | undefined }) {
  const isConverted = run?.state.kind === 'converted';
  const canCompare = runs.value.filter(({ state }) => state.kind === 'converted').length > 1;
  return (
    <>
      <RunHistory />
      <IconButton
        icon={Columns2}
        label={t('run.compare')}
        disabled={!canCompare}
        onClick={() => {
          show('compare');
        }}
      />
      <IconButton
        icon={Download}
        label={t('run.download')}
        disabled={!isConverted}
        onClick={() => {
          if (run !== undefined) void downloadRun(bridge, run);
        }}
      />
    </>
  );
}

/** The button that starts or cancels a run. */
function MainAction({ bridge, run }: { readonly bridge: Bridge; readonly run: ConsoleRun | undefined }) {
  if (run === undefined) return <ConvertAction bridge={bridge} />;
  return isLive.value ? <DelayedCancelAction bridge={bridge} run={run} /> : <CancelAction run={run} />;
}

/** For live mode: shows "Cancel" only after 1.5 seconds, so that the button does not change with every key. */
function DelayedCancelAction({ bridge, run }: { readonly bridge: Bridge; readonly run: ConsoleRun }) {
  return useElapsed(run.began) < 1500 ? <ConvertAction bridge={bridge} /> : <CancelAction run={run} />;
}

function CancelAction({ run }: { readonly run: ConsoleRun }) {
  return (
    <Button
      class="button run-main"
      icon={Square}
      title={t('run.cancel.keys')}
      aria-keyshortcuts="Escape"
      onClick={() => {
        cancelRun(run.number);
      }}
    >
      {t('run.cancel')}
    </Button>
  );
}

function ConvertAction({ bridge }: { readonly bridge: Bridge }) {
  const reason = blocker.value;
  return (
    <Button
      class="button run-main"
      tone="primary"
      icon={Play}
      title={reason !== undefined ? blockerText(reason) : t('run.convert.keys')}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      aria-disabled={reason !== undefined}
      onClick={() => {
        convert(bridge);
      }}
    >
      {t('run.convert')}
    </Button>
  );
}

function convert(bridge: Bridge): void {
  if (blocker.value !== undefined) {
    goToBlocker(blocker.value);
    return;
  }
  const running = runs.value.find(isRunning);
  if (running !== undefined) cancelRun(running.number);
  void runRequest(bridge).ended;
}

function isRunning({ state }: ConsoleRun): boolean {
  return state.kind === 'running';
}

/** Global keys: Ctrl+Enter converts, Escape cancels. */
function listenForKeys(bridge: Bridge): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      convert(bridge);
    }
    const running = runs.value.find(isRunning);
    if (event.key === 'Escape' && !isHandledElsewhere(event) && running !== undefined)
      cancelRun(running.number);
  };
  addEventListener('keydown', onKey);
  return () => {
    removeEventListener('keydown', onKey);
  };
}

/**
 * Returns whether Escape does something else: it closes an open menu or dialog first. In live mode, Escape in an editor only lets
 * the next Tab leave the editor.
 */
function isHandledElsewhere(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || document.querySelector('[role=menu], dialog[open]') !== null) return true;
  return isLive.value && requestTab.value === 'input' && event.composedPath().some(isEditor);
}

function isEditor(target: EventTarget): boolean {
  return target instanceof Element && target.classList.contains('editor');
}

function BlockerNote() {
  const reason = blocker.value;
  if (reason === undefined) return null;
  const text = blockerText(reason);
  if (!canGoTo(reason))
    return (
      <span class="run-summary cut" title={text} role="status">
        {text}
      </span>
    );
  return (
    <button
      type="button"
      class="run-blocker cut"
      title={text}
      onClick={() => {
        goToBlocker(reason);
      }}
    >
      <CircleAlert size={14} aria-hidden="true" />
      <span class="cut">{text}</span>
    </button>
  );
}

function blockerText(reason: Blocker): string {
  return t(`run.blocker.${reason}`, { count: invalidOptions.value.length });
}

/** Shows the input or the option that the user must correct. */
function goToBlocker(reason: Blocker): void {
  const [first] = invalidOptions.value;
  if (reason === 'options' && first !== undefined) showOption(first);
  else if (canGoTo(reason)) requestTab.value = 'input';
}

function canGoTo(reason: Blocker): boolean {
  return ['input', 'address', 'tooLarge', 'options'].includes(reason);
}
