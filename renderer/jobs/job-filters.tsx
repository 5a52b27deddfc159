/** The filters of the job list: search text, outcome and, for operators, the account. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useBridge } from '../bridge/bridge.ts';
import { SearchInput } from '../parts/field.tsx';
import { useRequest } from '../parts/use-request.tsx';
import { service } from '../state/service-state.ts';
import { t } from '../texts/text.ts';
import { filter, jobList, type JobListFilter, type FilterOutcome } from './job-list.ts';
import { outcomes } from './job-labels.tsx';

/** Debounce of the search field. */
const debounceMs = 250;

export function JobFilters() {
  const { outcome, account } = filter.value;
  const isOperator = service.value?.account.operator === true;
  return (
    <div class="jobs-filters" role="search">
      <SearchField />
      <Select
        label={t('jobs.outcome')}
        value={outcome}
        onChoose={(value) => {
          changeFilter({ outcome: value as FilterOutcome | '' });
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

function SearchField() {
  const appliedText = filter.value.text;
  const [text, setText] = useState(appliedText);
  /** The last filter text that this field has applied or adopted. Any other text was set elsewhere and replaces the typed one. */
  const knownText = useRef(appliedText);
  useEffect(() => {
    if (appliedText === knownText.current) return;
    knownText.current = appliedText;
    setText(appliedText);
  }, [appliedText]);
  useEffect(() => {
    const timer = setTimeout(() => {
      knownText.current = text;
      changeFilter({ text });
    }, debounceMs);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return <SearchInput label={t('jobs.search')} maxLength={200} value={text} onText={setText} />;
}

/** The account filter. It also lists the accounts of the jobs shown, in case the accounts cannot be loaded. */
function Accounts({ chosen }: { readonly chosen: string }) {
  const bridge = useBridge();
  const { value = [] } = useRequest(() => bridge.call('accounts', {}), [bridge]);
  const listed = jobList.value?.jobs.map(({ account }) => account) ?? [];
  const names = [...value.map(({ name }) => name), ...listed, ...(chosen === '' ? [] : [chosen])];
  return (
    <Select
      label={t('jobs.account')}
      value={chosen}
      onChoose={(account) => {
        changeFilter({ account });
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

function changeFilter(change: Partial<JobListFilter>): void {
  const next = { ...filter.value, ...change };
  const same = next.text === filter.value.text && next.outcome === filter.value.outcome;
  if (!same || next.account !== filter.value.account) filter.value = next;
}
