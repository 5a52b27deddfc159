/**
 * Entry file for Electron: runs the service (index.ts), the desktop client (app/client/client.ts), or the dialog of a failed start
 * (app/failed-start.ts), from V8's code cache.
 */
import { join } from 'node:path';
import { runWithCodeCache } from '../code-cache.ts';
import { clientVariable, failedStartVariable } from '../messages.ts';

runWithCodeCache(join(import.meta.dirname, `${programName(process.env)}-program.cjs`));

function programName(environment: NodeJS.ProcessEnv): string {
  if (environment[failedStartVariable] !== undefined) return 'failed-start';
  return environment[clientVariable] === undefined ? 'service' : 'client';
}
