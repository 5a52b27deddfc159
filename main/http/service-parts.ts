/** All that the routes need, built in main/index.ts and handed down. */
import type { AccountBook } from '../accounts/accounts.ts';
import type { Jobs } from '../accounts/jobs.ts';
import type { House } from '../convert.ts';
import type { SelfTestReport } from '../console/contract.ts';
import type { DebugLogs } from '../log/debug-logs.ts';
import type { Versions } from '../log/events.ts';
import type { ServiceLog } from '../log/service-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Pausing } from '../pausing.ts';
import type { Settings } from '../settings/table.ts';
import type { BodyBudget } from './body-budget.ts';
import type { Certificate } from '../preflight/certificate.ts';
import type { Console } from '../console/open-console.ts';
import type { ClosingLogs } from '../conversion/closing-logs.ts';
import type { Forms } from './forms.ts';

export interface ServiceParts extends House {
  readonly settings: Settings;
  /** Absent: plain HTTP. */
  readonly certificate?: Certificate | undefined;
  readonly versions: Versions;
  readonly accounts: AccountBook;
  readonly jobs: Jobs;
  readonly debugLogs: DebugLogs;
  readonly closingLogs: ClosingLogs;
  readonly console: Console;
  /** Folder of the built interface. */
  readonly consoleFiles: string;
  /** Connections that may be open. */
  readonly callers: number;
  readonly bodies: BodyBudget;
  readonly forms: Forms;
  readonly pausing: Pick<Pausing, 'refusal'>;
  readonly log: ServiceLog;
  readonly metrics: Metrics;
  /** Folder for the uploads of jobs under way. */
  readonly workFolder: string;
  /** `service`, and the operator's alias. */
  readonly prefixes: readonly string[];
  /** Aborts when running jobs must end. */
  readonly shutdown: AbortSignal;
  /** True once no more jobs are taken. */
  readonly stopping: () => boolean;
  /** One at a time. @throws the reason why the service stops */
  readonly selfTest: () => Promise<SelfTestReport>;
  /** Why no job can be taken just now, or undefined. */
  readonly unreadiness: () => Promise<string | undefined>;
}
