/** Builds the console, which HTTP and the desktop window both use, and implements the call `state`. */
import { join } from 'node:path';
import { openCalls, type ConsoleCallHandler, type Handlers } from './calls.ts';
import { nodeCalls, type NodeCallDependencies } from './node-calls.ts';
import { jobCalls, readJobOutput, type JobCallDependencies } from './job-calls.ts';
import {
  defaultLimits,
  openOutputs,
  outputReader,
  type OutputArchive,
  type Outputs,
  type ReadOutput,
} from './outputs.ts';
import { operatorCalls, type OperatorCallDependencies } from './operator-calls.ts';
import { openRuns, type RunDependencies, type StartRun } from './runs.ts';
import { AccountProblem } from '../accounts/account-problem.ts';
import type { AccountFacts } from '../accounts/account.ts';
import type { AccountBook } from '../accounts/accounts.ts';
import { Failure } from '../failure/failure.ts';
import type { Versions } from '../log/events.ts';
import type { Pause } from '../conversion/admission.ts';
import type { Settings } from '../settings/table.ts';
import { jobIdPattern, type HotFolderState, type ConsoleState } from './contract.ts';

export interface Console {
  readonly call: ConsoleCallHandler;
  readonly run: StartRun;
  readonly outputs: Pick<Outputs, 'find'>;
  readonly output: ReadOutput;
}

/** The values are created in main/runtime/serve.ts. */
type ConsoleDependencies = StateDependencies &
  Omit<JobCallDependencies, 'baseUrl'> &
  Omit<RunDependencies, 'outputs'> &
  Pick<Handlers, 'selfTest'> &
  Omit<OperatorCallDependencies, 'state'> &
  NodeCallDependencies & {
    /** Absent if the accounts database is not shared. */
    readonly outputArchive?: OutputArchive;
  };

export function openConsole(dependencies: ConsoleDependencies): Console {
  const outputs = openOutputs(
    join(dependencies.workFolder, 'outputs'),
    defaultLimits,
    dependencies.outputArchive,
  );
  const baseUrl = () => serviceAddress(dependencies);
  const state = stateCall(dependencies);
  const handlers = {
    state,
    selfTest: dependencies.selfTest,
    ...jobCalls({ ...dependencies, baseUrl }),
    ...operatorCalls({ ...dependencies, state }),
    ...nodeCalls(dependencies),
  };
  const readRunOutput = outputReader(outputs);
  return {
    call: openCalls(handlers),
    run: openRuns({ ...dependencies, outputs }),
    outputs,
    output: (id, account) =>
      jobIdPattern.test(id) ? readJobOutput(dependencies, id, account) : readRunOutput(id, account),
  };
}

// The call `state`: the state of the service and the caller's account.

interface StateDependencies {
  readonly settings: Settings & { readonly data: string };
  readonly versions: Versions;
  readonly accounts: Pick<AccountBook, 'find'>;
  readonly store: { readonly isShared: boolean };
  readonly engine: WorkState;
  readonly inputQueue: WorkState;
  /** Returns why no job is accepted at the moment, or undefined. */
  readonly unreadiness: () => Promise<string | undefined>;
  readonly pause: Pick<Pause, 'reason'>;
  /** Returns whether the service is shutting down. */
  readonly isStopping: () => boolean;
  readonly hotFolders: () => readonly HotFolderState[];
  /** Returns the URL on which the service listens; undefined before it listens. */
  readonly url: () => string | undefined;
}

interface WorkState {
  readonly state: { readonly working: number; readonly waiting: number };
}

function stateCall(dependencies: StateDependencies): Handlers['state'] {
  const { settings, versions, accounts, engine, inputQueue, store } = dependencies;
  return async (_input, caller, baseUrl) => {
    const { working, waiting } = engine.state;
    return {
      ...(await serviceState(dependencies)),
      working,
      waiting: waiting + inputQueue.state.waiting,
      windows: settings.workers,
      account: accountView(await factsOf(accounts, caller.name)),
      baseUrl: baseUrl ?? serviceAddress(dependencies),
      versions,
      network: settings.network,
      maxUpload: settings['max-upload'],
      debugLogKeepMs: settings['debug-log-keep'],
      ...(caller.operator && {
        data: settings.data,
        hotFolders: dependencies.hotFolders(),
        isDatabaseShared: store.isShared,
      }),
    };
  };
}

/** Returns the service's address: the setting base-url, or the listening address. */
function serviceAddress({ settings, url }: Pick<StateDependencies, 'settings' | 'url'>): string {
  const address = settings['base-url'] ?? url() ?? `http://127.0.0.1:${settings.port}`;
  // No client can connect to an unspecified address (RFC 6890).
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

async function serviceState({
  engine,
  ...dependencies
}: StateDependencies): Promise<Pick<ConsoleState, 'status' | 'why'>> {
  if (dependencies.isStopping()) return { status: 'stopping' };
  if (dependencies.pause.reason() !== undefined) return { status: 'paused' };
  const why = await dependencies.unreadiness();
  if (why !== undefined) return { status: 'unavailable', why };
  return { status: engine.state.working > 0 ? 'busy' : 'ready' };
}

async function factsOf(accounts: StateDependencies['accounts'], name: string): Promise<AccountFacts> {
  try {
    return await accounts.find(name);
  } catch (problem) {
    if (!(problem instanceof AccountProblem)) throw problem;
    throw new Failure('unauthorized', 'The account has been removed.');
  }
}

function accountView({ name, operator, demo, balance }: AccountFacts): ConsoleState['account'] {
  return { name, operator, demo, ...(balance !== undefined && { balance }) };
}
