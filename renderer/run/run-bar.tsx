/** Starts and cancels runs, shows what prevents a run, summarises the run shown, and saves its output. */
import { Columns2, Download, Play, Square, CircleAlert } from 'lucide-preact';
import { useEffect } from 'preact/hooks';
import { useBridge, type Bridge } from '../bridge/bridge.ts';
import { hasInput, invalidOptions } from '../call/call.ts';
import { blocker, type Blocker } from '../call/blocker.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Switch } from '../parts/field.tsx';
import { show } from '../shell/current-view.ts';
import { t } from '../texts/text.ts';
import { callTab, showOption } from '../views/try-tabs.ts';
import { DropArea } from './drop-area.tsx';
import { useElapsed } from './use-elapsed.ts';
import { FormatChoice } from './format-choice.tsx';
import { followLive, isLive, switchLive } from './live-mode.ts';
import { runCall } from './run-call.ts';
import { RunHistory } from './run-history.tsx';
import { RunSummary } from './run-summary.tsx';
import { cancelRun, runOf, runs, shown, type ConsoleRun } from './runs.ts';
import './run.css';
import { saveBlob } from '../parts/save-blob.ts';
import { showToast } from '../parts/toasts.tsx';

export function RunBar() {
  const bridge = useBridge();
  const run = runOf(shown.value);
  useEffect(() => followLive(bridge), [bridge]);
  useEffect(() => followKeys(bridge), [bridge]);
  return (
    <header class="view-head run-bar">
      <h1>{t('nav.try')}</h1>
      <FormatChoice />
      <span class="run-live" title={t('run.live.says')}>
        <Switch label={t('run.live')} on={isLive.value} onSwitch={switchLive} />
      </span>
      <span class="view-head-space" />
      {blocker.value !== undefined && hasInput.value ? <BlockerNote /> : <RunSummary run={run} />}
      <span class="run-actions">
        <ResultActions bridge={bridge} run={run} />
        <MainAction bridge={bridge} run={runs.value.find(isUnderWay)} />
      </span>
      <DropArea />
    </header>
  );
}

function ResultActions({ bridge, run }: { readonly bridge: Bridge; readonly run: ConsoleRun | undefined }) {
  const isConverted = run?.state.kind === 'converted';
  const comparable = runs.value.filter(({ state }) => state.kind === 'converted').length > 1;
  return (
    <>
      <RunHistory />
      <IconButton
        icon={Columns2}
        label={t('run.compare')}
        disabled={!comparable}
        onClick={() => {
          show('compare');
        }}
      />
      <IconButton
        icon={Download}
        label={t('run.download')}
        disabled={!isConverted}
        onClick={() => void downloadRun(bridge, run)}
      />
    </>
  );
}

/** The button that starts or cancels a run. */
function MainAction({ bridge, run }: { readonly bridge: Bridge; readonly run: ConsoleRun | undefined }) {
  if (run === undefined) return <ConvertAction bridge={bridge} />;
  return isLive.value ? <LateCancelAction bridge={bridge} run={run} /> : <CancelAction run={run} />;
}

/** In live mode, the button must not change with every key. */
function LateCancelAction({ bridge, run }: { readonly bridge: Bridge; readonly run: ConsoleRun }) {
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
  const stopped = blocker.value;
  return (
    <Button
      class="button run-main"
      tone="primary"
      icon={Play}
      title={stopped !== undefined ? blockerText(stopped) : t('run.convert.keys')}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      aria-disabled={stopped !== undefined}
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
  const running = runs.value.find(isUnderWay);
  if (running !== undefined) cancelRun(running.number);
  void runCall(bridge).over;
}

function isUnderWay({ state }: ConsoleRun): boolean {
  return state.kind === 'running';
}

/** Global keys: Ctrl+Enter converts, Escape cancels. */
function followKeys(bridge: Bridge): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      convert(bridge);
    }
    const running = runs.value.find(isUnderWay);
    if (event.key === 'Escape' && !isForSomethingElse(event) && running !== undefined)
      cancelRun(running.number);
  };
  addEventListener('keydown', onKey);
  return () => {
    removeEventListener('keydown', onKey);
  };
}

/** Escape closes an open menu or dialog first. In live mode, Escape in an editor only lets Tab leave it. */
function isForSomethingElse(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || document.querySelector('[role=menu], dialog[open]') !== null) return true;
  return isLive.value && callTab.value === 'input' && event.composedPath().some(isEditor);
}

function isEditor(target: EventTarget): boolean {
  return target instanceof Element && target.classList.contains('editor');
}

export async function downloadRun(bridge: Bridge, run: ConsoleRun | undefined): Promise<void> {
  if (run?.state.kind !== 'converted') return;
  const { outcome, blob } = run.state;
  try {
    if (bridge.native === undefined) saveBlob(await blob(), outcome.name);
    else if (await bridge.native.saveOutput(outcome.output, outcome.name)) showToast(t('run.saved'));
  } catch (problem) {
    showToast(problem instanceof Error ? problem.message : String(problem), 'error');
  }
}

export function BlockerNote() {
  const why = blocker.value;
  if (why === undefined) return null;
  const text = blockerText(why);
  if (!canGoTo(why))
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
        goToBlocker(why);
      }}
    >
      <CircleAlert size={14} aria-hidden="true" />
      <span class="cut">{text}</span>
    </button>
  );
}

export function blockerText(why: Blocker): string {
  return t(`run.blocker.${why}`, { count: invalidOptions.value.length });
}

/** Goes to the place where the user can fix it. */
export function goToBlocker(why: Blocker): void {
  const [first] = invalidOptions.value;
  if (why === 'options' && first !== undefined) showOption(first);
  else if (canGoTo(why)) callTab.value = 'input';
}

function canGoTo(why: Blocker): boolean {
  return ['input', 'address', 'tooLarge', 'options'].includes(why);
}
