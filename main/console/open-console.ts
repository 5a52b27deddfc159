/** The console: all that its doors, HTTP and the tray's window, hand on to. It knows neither. */
import { join } from 'node:path';
import { openCalls, type Call, type Handlers } from './calls.ts';
import { jobCalls, type JobParts } from './job-calls.ts';
import { openOutputs, type Outputs } from './outputs.ts';
import { operatorCalls, type OperatorParts } from './operator-calls.ts';
import { readingOutputs, type ReadOutput } from './read-output.ts';
import { openRuns, type RunParts, type StartRun } from './runs.ts';
import { ownAddress, stateCall, type StateParts } from './state.ts';

export interface Console {
  readonly call: Call;
  readonly run: StartRun;
  readonly outputs: Pick<Outputs, 'find'>;
  readonly output: ReadOutput;
}

/** Built in main/index.ts. */
export type ConsoleParts = StateParts &
  Omit<JobParts, 'baseUrl'> &
  Omit<RunParts, 'outputs'> &
  Pick<Handlers, 'selfTest'> &
  Omit<OperatorParts, 'state'>;

export function openConsole(parts: ConsoleParts): Console {
  const outputs = openOutputs(join(parts.workFolder, 'outputs'));
  const baseUrl = () => ownAddress(parts);
  const state = stateCall(parts);
  const own = { state, ...jobCalls({ ...parts, baseUrl }), selfTest: parts.selfTest };
  const handlers = { ...own, ...operatorCalls({ ...parts, state }) };
  return {
    ...{ call: openCalls(handlers), run: openRuns({ ...parts, outputs }) },
    ...{ outputs, output: readingOutputs(outputs) },
  };
}
