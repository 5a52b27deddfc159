/** The dependencies of the routes, created in main/runtime/serve.ts. */
import type { AccountBook } from '../../accounts/accounts.ts';
import type { AsynchronousJobs } from '../../asynchronous-jobs/asynchronous-jobs.ts';
import type { Jobs } from '../../accounts/jobs.ts';
import type { ConversionDependencies } from '../../conversion/convert.ts';
import type { SelfTestReport } from '../../console/contract.ts';
import type { DebugLogs } from '../../log/debug-logs.ts';
import type { Versions } from '../../log/events.ts';
import type { ServiceLog } from '../../log/service-log.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Pause } from '../../conversion/admission.ts';
import type { Settings } from '../../settings/table.ts';
import type { BodyBudget } from '../upload/body-budget.ts';
import type { Certificate } from '../../preflight/certificate.ts';
import type { Console } from '../../console/open-console.ts';
import type { ClosingLogs } from '../../conversion/job-log.ts';
import type { Forms } from '../upload/forms.ts';
import type { Connections } from '../server/connections.ts';

export interface ServiceDependencies extends ConversionDependencies {
  readonly settings: Settings;
  /** Absent for plain HTTP. */
  readonly certificate?: Certificate | undefined;
  readonly versions: Versions;
  readonly accounts: AccountBook;
  readonly jobs: Jobs;
  readonly asynchronousJobs: Pick<
    AsynchronousJobs,
    'refuseEarly' | 'submit' | 'resultOf' | 'readOutput' | 'openArchive' | 'remove'
  >;
  readonly debugLogs: DebugLogs;
  readonly closingLogs: ClosingLogs;
  readonly console: Console;
  /** The folder that contains the built console. */
  readonly consoleFiles: string;
  readonly connections: Connections;
  readonly bodyBudget: BodyBudget;
  readonly forms: Forms;
  readonly pause: Pick<Pause, 'refusal'>;
  readonly log: ServiceLog;
  readonly metrics: Metrics;
  /** The folder for the uploads of running jobs. */
  readonly workFolder: string;
  /** Header prefixes: `service` and the setting `alias`. */
  readonly prefixes: readonly string[];
  /** Aborts when running jobs must stop. */
  readonly shutdown: AbortSignal;
  /** Returns whether the service is shutting down; it then accepts no jobs. */
  readonly isStopping: () => boolean;
  /** Runs the self-test, one at a time. @throws the reason when the service stops */
  readonly selfTest: () => Promise<SelfTestReport>;
  /** Returns why the service cannot accept a job, or undefined. */
  readonly unreadiness: () => Promise<string | undefined>;
}
