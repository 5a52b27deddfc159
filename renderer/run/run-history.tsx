/** A menu of the runs of this console session. Choosing a run selects it. */
import { Ban, Check, CircleAlert, History, LoaderCircle } from 'lucide-preact';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { moment, t } from '../texts/text.ts';
import { codeOf, factsOf } from './run-summary.tsx';
import { runs, shownRun, type ConsoleRun } from './runs.ts';

const icons = { running: LoaderCircle, converted: Check, failed: CircleAlert, cancelled: Ban } as const;

export function RunHistory() {
  const list = runs.value;
  const items =
    list.length === 0
      ? [{ label: t('run.history.empty'), disabled: true, onSelect: () => {} }]
      : list.map(itemOf);
  return (
    <span class="run-history">
      <Menu label={t('run.history')} icon={History} items={items} />
    </span>
  );
}

function itemOf(run: ConsoleRun): MenuItem {
  const { number, title, began, state } = run;
  return {
    label: [`${number}`, shortened(title), moment(began), outcomeOf(run)].join(' · '),
    icon: icons[state.kind],
    onSelect: () => {
      shownRun.value = number;
    },
  };
}

function outcomeOf({ state }: ConsoleRun): string {
  switch (state.kind) {
    case 'running':
      return t('run.running');
    case 'converted':
      return factsOf(state.outcome)[0] ?? '';
    case 'failed':
      return t('run.failed', { code: codeOf(state.outcome) });
    case 'cancelled':
      return t('run.cancelled');
  }
}

function shortened(title: string): string {
  return title.length > 32 ? `${title.slice(0, 31)}…` : title;
}
