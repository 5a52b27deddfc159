/** The self-test: a description, the button that runs it, and its report. */
import { signal } from '@preact/signals';
import { CircleCheck, CircleX, Play, TriangleAlert } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import type { SelfTestReport } from '../../main/console/contract.ts';
import { reportText } from '../../main/self-test/report-text.ts';
import { useBridge, type Bridge } from '../bridge/bridge.ts';
import { ActionError } from '../parts/use-action.tsx';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { duration, moment, t } from '../texts/text.ts';
import './self-test.css';
import { messageOf } from '../../main/failure/failure.ts';

type SelfTestState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly began: number }
  | { readonly kind: 'finished'; readonly report: SelfTestReport }
  | { readonly kind: 'refused'; readonly message: string };

/** The last self-test of this console session. It is kept while another view is shown. */
const selfTest = signal<SelfTestState>({ kind: 'none' });

export function SelfTestCard() {
  const bridge = useBridge();
  const state = selfTest.value;
  return (
    <section class="card" aria-labelledby="self-test">
      <div class="card-head">
        <div class="self-test-text">
          <h2 id="self-test">{t('selftest.title')}</h2>
          <p class="soft">{t('selftest.sentence')}</p>
        </div>
        {state.kind === 'finished' && (
          <CopyButton text={() => reportText(state.report)} label={t('selftest.copy')} />
        )}
        <Button icon={Play} disabled={state.kind === 'running'} onClick={() => void runSelfTest(bridge)}>
          {t(state.kind === 'finished' ? 'selftest.again' : 'selftest.run')}
        </Button>
      </div>
      {state.kind === 'running' && <Running began={state.began} />}
      {state.kind === 'refused' && (
        <div class="card-body">
          <ActionError text={state.message} />
        </div>
      )}
      {state.kind === 'finished' && <Report report={state.report} />}
    </section>
  );
}

function Running({ began }: { readonly began: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 1000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return (
    <div class="card-body self-test-running">
      <div class="spinner" />
      <p role="status">{t('selftest.running')}</p>
      <p class="faint">{duration(Math.max(0, Math.round((now - began) / 1000)) * 1000)}</p>
    </div>
  );
}

function Report({ report }: { readonly report: SelfTestReport }) {
  const { passed, checks, took, began } = report;
  const failed = checks.filter((check) => !check.passed).length;
  const warnings = checks.filter(({ warning }) => warning === true).length;
  const VerdictIcon = passed ? CircleCheck : CircleX;
  return (
    <>
      <div class="self-test-verdict" role="status" data-tone={passed ? 'good' : 'error'}>
        <VerdictIcon size={18} aria-hidden="true" />
        <strong>
          {passed
            ? t('selftest.passed', { warnings })
            : t('selftest.failed', { failed, all: checks.length, warnings })}
        </strong>
        <span class="faint">{t('selftest.when', { time: moment(began), took: duration(took) })}</span>
      </div>
      <table class="table self-test-table">
        <thead>
          <tr>
            <th scope="col">{t('selftest.check')}</th>
            <th scope="col">{t('selftest.found')}</th>
            <th scope="col" class="end">
              {t('selftest.took')}
            </th>
          </tr>
        </thead>
        <tbody>
          {checks.map((check) => (
            <Row key={check.name} check={check} />
          ))}
        </tbody>
      </table>
    </>
  );
}

const outcomes = {
  good: { icon: CircleCheck, text: 'selftest.status.good' },
  warning: { icon: TriangleAlert, text: 'selftest.status.warning' },
  error: { icon: CircleX, text: 'selftest.status.failed' },
} as const;

function Row({ check }: { readonly check: SelfTestReport['checks'][number] }) {
  const { name, passed, warning, message, took } = check;
  const tone = !passed ? 'error' : warning === true ? 'warning' : 'good';
  const { icon: Icon, text } = outcomes[tone];
  return (
    <tr>
      <th scope="row">
        <span class="self-test-name" data-tone={tone}>
          <Icon size={15} role="img" aria-label={t(text)} />
          <span lang="en">{name}</span>
        </span>
      </th>
      <td lang="en" dir="auto">
        {message}
      </td>
      <td class="end faint">{duration(took)}</td>
    </tr>
  );
}

async function runSelfTest(bridge: Pick<Bridge, 'call'>): Promise<void> {
  if (selfTest.value.kind === 'running') return;
  selfTest.value = { kind: 'running', began: Date.now() };
  try {
    selfTest.value = { kind: 'finished', report: await bridge.call('selfTest', {}) };
  } catch (problem) {
    selfTest.value = {
      kind: 'refused',
      message: messageOf(problem),
    };
  }
}
