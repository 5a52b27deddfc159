/** The filters of the job list: search text, outcome and, for operators, the account. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useBridge } from '../bridge/bridge.ts';
import { SearchInput } from '../parts/field.tsx';
import { useRequest } from '../parts/use-request.tsx';
import { service } from '../shell/service-state.ts';
import { t } from '../texts/text.ts';
import { filter, jobList, type JobListFilter, type FilterOutcome } from './job-list.ts';
import { outcomes } from './job-labels.tsx';

/** Debounce of the search field, in milliseconds. */
const quiet = 250;

export function JobFilters() {
  const { outcome, account } = filter.value;
  const isOperator = service.value?.account.operator === true;
  return (
    <div class="jobs-filters" role="search">
      <Words />
      <Select
        label={t('jobs.outcome')}
        value={outcome}
        onChoose={(value) => {
          set({ outcome: value as FilterOutcome | '' });
        }}
      >
        <option value="">{t('jobs.outcome.any')}</option>
        {Object.entries(outcomes).map(([value, { text }]) => (
          <option key={value} value={value}>
            {t(text)}
          </option>
        ))}
      </Select>
      {isOperator && <Accounts chosen={account} />}
    </div>
  );
}

function Words() {
  const kept = filter.value.text;
  const [text, setText] = useState(kept);
  useEffect(() => {
    setText(kept);
  }, [kept]);
  useEffect(() => {
    const timer = setTimeout(() => {
      set({ text });
    }, quiet);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return <SearchInput label={t('jobs.search')} maxLength={200} value={text} onText={setText} />;
}

/** All accounts or, if they cannot be loaded, the accounts of the jobs shown. */
function Accounts({ chosen }: { readonly chosen: string }) {
  const bridge = useBridge();
  const { value = [] } = useRequest(() => bridge.call('accounts', {}), [bridge]);
  const seen = jobList.value?.jobs.map(({ account }) => account) ?? [];
  const names = [...value.map(({ name }) => name), ...seen, ...(chosen === '' ? [] : [chosen])];
  return (
    <Select
      label={t('jobs.account')}
      value={chosen}
      onChoose={(account) => {
        set({ account });
      }}
    >
      <option value="">{t('jobs.account.any')}</option>
      {[...new Set(names)].sort().map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly onChoose: (value: string) => void;
  readonly children: ComponentChildren;
}

function Select({ label, value, onChoose, children }: SelectProps) {
  return (
    <select
      class="input"
      aria-label={label}
      value={value}
      onChange={(event) => {
        onChoose(event.currentTarget.value);
      }}
    >
      {children}
    </select>
  );
}

function set(change: Partial<JobListFilter>): void {
  const next = { ...filter.value, ...change };
  const same = next.text === filter.value.text && next.outcome === filter.value.outcome;
  if (!same || next.account !== filter.value.account) filter.value = next;
}
