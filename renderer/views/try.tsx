/** The "Try" view: the request on one side, its result on the other. */
import { RequestInput } from '../call/input/request-input.tsx';
import { CodePanel } from '../call/code/code-panel.tsx';
import { options } from '../call/call.ts';
import { OptionsPanel } from '../call/options/options-panel.tsx';
import { Split } from '../parts/split.tsx';
import { TabPanel, Tabs } from '../parts/choice.tsx';
import { ExplainPanel } from '../run/result/explain-panel.tsx';
import { ResultPanel } from '../run/result/result-panel.tsx';
import { RunBar } from '../run/run-bar.tsx';
import { t } from '../texts/text.ts';
import { requestTab, resultTab, type RequestTab, type ResultTab } from '../state/try-tabs.ts';

export function TryView() {
  return (
    <section class="view" aria-label={t('nav.try')}>
      <RunBar />
      <Split label={t('run.split')} first={<CallSide />} second={<ResultSide />} />
    </section>
  );
}

function CallSide() {
  const changed = options.value.size;
  const tabs: readonly { readonly value: RequestTab; readonly label: preact.ComponentChildren }[] = [
    { value: 'input', label: t('run.tab.input') },
    {
      value: 'options',
      label: (
        <>
          {t('run.tab.options')}
          {changed > 0 && (
            <span class="badge" data-tone="accent">
              {changed}
            </span>
          )}
        </>
      ),
    },
    { value: 'code', label: t('run.tab.code') },
  ];
  return (
    <>
      <Tabs
        id="call"
        label={t('run.sides.call')}
        choices={tabs}
        value={requestTab.value}
        onChoose={(tab) => {
          requestTab.value = tab;
        }}
      />
      <TabPanel tabsId="call" value={requestTab.value} class="try-panel">
        {requestTab.value === 'input' && <RequestInput />}
        {requestTab.value === 'options' && <OptionsPanel />}
        {requestTab.value === 'code' && <CodePanel />}
      </TabPanel>
    </>
  );
}

function ResultSide() {
  const tabs: readonly { readonly value: ResultTab; readonly label: string }[] = [
    { value: 'result', label: t('run.tab.result') },
    { value: 'explain', label: t('run.tab.explain') },
  ];
  return (
    <>
      <Tabs
        id="result"
        label={t('run.sides.result')}
        choices={tabs}
        value={resultTab.value}
        onChoose={(tab) => {
          resultTab.value = tab;
        }}
      />
      <TabPanel tabsId="result" value={resultTab.value} class="try-panel">
        {resultTab.value === 'result' ? <ResultPanel /> : <ExplainPanel />}
      </TabPanel>
    </>
  );
}
