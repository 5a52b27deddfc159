/**
 * Runs single jobs in Electron processes of their own, when the service asks for it. The launcher starts them, because it can watch and
 * kill a process even if the service dies at the same time.
 */
import type { ChildProcess } from 'node:child_process';
import { isolatedJobVariable, jobToIsolate, type IsolatedJob } from './messages.ts';
import { runService, sendMessage, type ServiceRun } from './service-process.ts';

/** Disposing of it kills the process that runs. */
export class IsolatedRuns implements AsyncDisposable {
  readonly #run: Omit<ServiceRun, 'stopSignal' | 'onStarted' | 'showsOutput'>;
  #kill = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  /** `run`: how the service itself runs. */
  constructor(run: Omit<ServiceRun, 'stopSignal' | 'onStarted' | 'showsOutput'>) {
    this.#run = run;
  }

  /** Obeys the messages of a service. It asks for one job at a time. */
  serve(service: ChildProcess): void {
    service.on('message', (message) => {
      if (message === 'end-isolated') this.#kill.abort('it was stopped');
      const job = jobToIsolate(message);
      if (job !== undefined) this.#ended = this.#isolate(job, service);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#kill.abort('the service ended');
    await this.#ended;
  }

  /** Never rejects. */
  async #isolate(job: IsolatedJob, service: ChildProcess): Promise<void> {
    const { environment, killSignals } = this.#run;
    this.#kill = new AbortController();
    const { reason, listened } = await runService({
      ...this.#run,
      environment: { ...environment, [isolatedJobVariable]: JSON.stringify(job) },
      // Only the service ends the process: on a stop request, a running job may finish.
      stopSignal: new AbortController().signal,
      killSignals: [...killSignals, this.#kill.signal],
      showsOutput: false,
    });
    // These signals end the service too, and do not depend on the job.
    if (killSignals.some(({ aborted }) => aborted)) return;
    sendMessage(service, { isolatedExit: { hasBegun: listened !== undefined, reason } });
  }
}
