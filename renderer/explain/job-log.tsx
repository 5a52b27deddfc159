/** Loads the debug log of a job by its id, polls it while the job runs, and shows it. */
import { ScrollText } from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';
import { ServiceError, useBridge } from '../bridge/bridge.ts';
import { Empty } from '../parts/empty.tsx';
import { Loaded, useRequest } from '../parts/use-request.tsx';
import { t } from '../texts/text.ts';
import { ExplanationView } from './explanation.tsx';

interface JobLogProps {
  readonly job: string;
  /** Whether the job is still running. */
  readonly running?: boolean;
}

/** Polling interval for a running job. */
const pollIntervalMs = 800;

export function JobLog({ job, running = false }: JobLogProps) {
  const bridge = useBridge();
  const logRequest = useRequest(() => bridge.call('log', { job }), [bridge, job, running]);
  const { value, problem, isLoading, reload } = logRequest;
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  useEffect(() => {
    if (!running || isLoading) return;
    const timer = setTimeout(() => void reload(), pollIntervalMs);
    return () => {
      clearTimeout(timer);
    };
  }, [running, isLoading]);
  if (last.current !== undefined) return <ExplanationView explanation={last.current} running={running} />;
  if (problem instanceof ServiceError && problem.status === 404 && !running)
    return (
      <Empty icon={ScrollText} title={t('explain.gone')}>
        {problem.message}
      </Empty>
    );
  return (
    <Loaded request={running ? { ...logRequest, problem: undefined } : logRequest}>
      {(explanation) => <ExplanationView explanation={explanation} running={running} />}
    </Loaded>
  );
}
