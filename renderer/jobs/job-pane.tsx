/** One job: its facts, its outcome, actions, and its explanation if it has a debug log. */
import { ArrowLeft, Ban, Download, RotateCcw, SearchX, X } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { JobView } from '../../main/console/contract.ts';
import { ServiceError, useBridge } from '../bridge/bridge.ts';
import { JobLog } from '../explain/job-log.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { saveBlob } from '../parts/save-blob.ts';
import { showToast } from '../parts/toasts.tsx';
import { Loaded, useRequest } from '../parts/use-request.tsx';
import { messageOf } from '../../main/failure/failure.ts';
import { t } from '../texts/text.ts';
import { RerunDialog, fillFormFromJob, needsConfirmation } from './rerun-job.tsx';
import { JobFacts } from './job-facts.tsx';
import { jobList } from './job-list.ts';
import { titleOf, OutcomeBadge } from './job-labels.tsx';
import { JobRecord } from './job-record.tsx';
import { adviceFor } from '../../main/log/findings/outcome.ts';
import { OptionLink } from '../explain/option-link.tsx';

interface JobPaneProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Polling interval for a running job. */
const pollIntervalMs = 1000;

export function JobPane({ id, onClose }: JobPaneProps) {
  const bridge = useBridge();
  const jobRequest = useRequest(() => bridge.call('job', { id }), [bridge, id]);
  const listed = jobList.value?.jobs.find((job) => job.id === id);
  const job = jobRequest.value ?? listed;
  const isRunning = job?.outcome === null;
  useEffect(() => {
    if (!isRunning || jobRequest.isLoading) return;
    const timer = setTimeout(() => void jobRequest.reload(), pollIntervalMs);
    return () => {
      clearTimeout(timer);
    };
  }, [isRunning, jobRequest.isLoading]);
  const { problem } = jobRequest;
  if (problem instanceof ServiceError && problem.status === 404)
    return (
      <>
        <Head onClose={onClose} />
        <Empty icon={SearchX} title={t('job.gone')}>
          {problem.message}
        </Empty>
      </>
    );
  return (
    <>
      <Head job={job} onClose={onClose} />
      {job === undefined ? (
        <Loaded request={jobRequest}>{() => null}</Loaded>
      ) : (
        <Body job={job} onChanged={() => void jobRequest.reload()} />
      )}
    </>
  );
}

function Head({ job, onClose }: { readonly job?: JobView | undefined; readonly onClose: () => void }) {
  const head = useRef<HTMLElement>(null);
  useEffect(() => {
    // In a narrow viewport, the pane covers the list and hides the focused row, so the focus moves to the pane.
    const list = document.querySelector<HTMLElement>('.jobs-list');
    if (list?.offsetParent === null) head.current?.querySelector('button')?.focus();
  }, []);
  return (
    <header class="job-head" ref={head}>
      <span class="job-back">
        <IconButton icon={ArrowLeft} label={t('job.back')} onClick={onClose} />
      </span>
      {job && <OutcomeBadge job={job} />}
      {job?.outcome === 'failed' && <Code job={job} />}
      <h2 class="cut" title={job && titleOf(job)}>
        <bdi>{job && titleOf(job)}</bdi>
      </h2>
      <span class="job-close">
        <IconButton icon={X} label={t('job.close')} onClick={onClose} />
      </span>
    </header>
  );
}

/** The status and reason code, such as `400.324`, as in the error messages of the service. */
function Code({ job: { status, reason } }: { readonly job: JobView }) {
  if (status === null) return null;
  return (
    <code class="badge" data-tone="error">
      {[status, ...(reason === null ? [] : [reason])].join('.')}
    </code>
  );
}

interface ChangeableJob {
  readonly job: JobView;
  /** Called when the job has changed. */
  readonly onChanged: () => void;
}

function Body({ job, onChanged }: ChangeableJob) {
  const isRunning = job.outcome === null;
  return (
    <div class="job-body" tabIndex={-1}>
      <div class="job-top">
        <OutcomeNote job={job} />
        <JobFacts job={job} />
        <Actions job={job} onChanged={onChanged} />
      </div>
      {job.hasDebugLog ? <JobLog key={job.id} job={job.id} running={isRunning} /> : <JobRecord job={job} />}
    </div>
  );
}

function Actions({ job, onChanged }: ChangeableJob) {
  const [isConfirming, setConfirming] = useState(false);
  const runAgain = () => {
    if (needsConfirmation(job)) setConfirming(true);
    else fillFormFromJob(job);
  };
  return (
    <div class="row">
      <Button tone="primary" icon={RotateCcw} onClick={runAgain}>
        {t('job.again')}
      </Button>
      {job.outputName !== null && <DownloadButton id={job.id} name={job.outputName} />}
      {job.isAsynchronous && job.outcome === null && <CancelButton job={job} onChanged={onChanged} />}
      <CopyButton text={() => job.id} label={t('job.copyId')} />
      {isConfirming && (
        <RerunDialog
          job={job}
          onClose={() => {
            setConfirming(false);
          }}
        />
      )}
    </div>
  );
}

function DownloadButton({ id, name }: { readonly id: string; readonly name: string }) {
  const bridge = useBridge();
  const download = async () => {
    try {
      if (bridge.native === undefined) saveBlob(await bridge.output(id), name);
      else if (await bridge.native.saveOutput(id, name)) showToast(t('run.saved'));
    } catch (problem) {
      showToast(messageOf(problem), 'error');
    }
  };
  return (
    <Button icon={Download} onClick={() => void download()}>
      {t('job.download')}
    </Button>
  );
}

function CancelButton({ job, onChanged }: ChangeableJob) {
  const bridge = useBridge();
  const cancel = async () => {
    try {
      await bridge.call('cancelJob', { id: job.id });
    } catch (problem) {
      showToast(messageOf(problem), 'error');
    }
    onChanged();
  };
  return (
    <Button icon={Ban} onClick={() => void cancel()}>
      {t('job.cancel')}
    </Button>
  );
}

function OutcomeNote({ job }: { readonly job: JobView }) {
  switch (job.outcome) {
    case 'failed':
      return job.hasDebugLog ? null : <FailureNote job={job} />;
    case 'interrupted':
      return <WarningNote>{t('job.interrupted')}</WarningNote>;
    case 'caller gone':
      return <WarningNote>{t('job.callerDisconnected')}</WarningNote>;
    case 'converted':
    case 'canceled':
    case null:
      return null;
  }
}

function WarningNote({ children }: { readonly children: string }) {
  return (
    <p class="job-outcome-note" data-tone="warning">
      {children}
    </p>
  );
}

function FailureNote({ job: { message, reason } }: { readonly job: JobView }) {
  const text = message ?? '';
  const detail = { stage: 'start', ...(reason !== null && { reason }) };
  const { remedy, options = [] } = adviceFor({ failure: { text, detail }, events: [], derived: [] });
  return (
    <div class="job-outcome-note" data-tone="error">
      <p>
        <bdi lang="en">{[text, remedy].filter((part) => part !== undefined && part !== '').join(' ')}</bdi>
      </p>
      {options.length > 0 && (
        <p class="findings-options">
          {[...new Set(options)].map((name) => (
            <OptionLink key={name} name={name} />
          ))}
        </p>
      )}
    </div>
  );
}
