/**
 * `platen desktop`: what a click on the application runs. It is `serve` for a start that has no terminal: the service logs to a
 * file, and a failed start is reported in a dialog. If a service already runs, shows its window, or starts a desktop client for
 * it (docs/decisions/0050-desktop-client.md).
 */
import { resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { DataFolderInUse, isLocked, listeningMs } from '../launch/data-folder-lock.ts';
import { hasDesktop } from '../launch/display.ts';
import { defaultLogFile, type ClientTarget } from '../launch/messages.ts';
import { locateRuntime } from '../launch/runtime.ts';
import { showFailedStart, startClient, writeToStderr } from '../launch/service-process.ts';
import { requestShow } from '../launch/request-file.ts';
import { openServiceLog } from '../log/service-log.ts';
import { loadSettings, type LoadedSettings } from '../settings/load.ts';
import { readRawSettings } from '../settings/raw-settings.ts';
import { messageOf } from '../failure/failure.ts';
import { clientTarget, createWindowKey, findInstalledService } from './desktop/running-service.ts';
import { serve } from './serve.ts';

/**
 * Runs the service and resolves with the exit code of `serve`. In a terminal, in CI or with --tray off it is the same as `serve`.
 * @throws what `serve` throws, after the dialog is open
 */
export async function desktop(flags: readonly string[]): Promise<number> {
  if (flags.includes('--help') || hasTerminal() || !hasDesktop() || isCi()) return await serve(flags);
  const settings = loadSettings({ flags, environment: process.env, onProblem() {} });
  if (settings.tray === false) return await serve(flags);
  const lines: string[] = [];
  try {
    const installed = isDataFolderNamed(flags) ? undefined : await findInstalledService(settings.data);
    const code =
      installed === undefined
        ? await runOrShow(settings.data, () => serve(flags, { isOutputUnseen: true, onStderrLine }))
        : await showClient(installed);
    if (code !== 0) await reportFailure(lines, settings);
    return code;
  } catch (problem) {
    await reportFailure([...lines, `platen: ${messageOf(problem)}`], settings, problem);
    throw problem;
  }

  function onStderrLine(line: string): void {
    lines.push(line);
    if (lines.length > maxLines) lines.shift();
    writeToStderr(line);
  }
}

/** Lines of standard error that the log gets if the start fails. */
const maxLines = 50;

function hasTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
}

function isCi(): boolean {
  return (process.env.CI ?? '') !== '';
}

/** A service that is starting creates the folder for requests when it listens. */
const showTimeoutMs = 20_000;
const pollIntervalMs = 250;

/** Returns whether the user wants the service of a particular data folder. */
function isDataFolderNamed(flags: readonly string[]): boolean {
  return readRawSettings({ flags, environment: process.env, onProblem() {} }).isDataNamed;
}

function showClient(target: ClientTarget): Promise<number> {
  return startClient(locateRuntime(), target, () => createWindowKey(target.data));
}

/**
 * Runs the service. If another process uses the data folder, shows the window of that service, or a desktop client if it has
 * none, and resolves with 0. If that process ends meanwhile, runs the service.
 * @throws DataFolderInUse if that process is no service that listens
 */
async function runOrShow(data: string, run: () => Promise<number>): Promise<number> {
  const end = performance.now() + showTimeoutMs;
  for (;;)
    try {
      return await run();
    } catch (problem) {
      if (!(problem instanceof DataFolderInUse)) throw problem;
      const shown = await showWindow(data, end);
      if (shown === 'window') return 0;
      if (shown === 'client') return await showClient(clientTarget(data));
      if (performance.now() > end) throw problem;
    }
}

/** The service opens its window this long after it listens, at the latest. */
const windowDelayMs = 5000;

/**
 * Waits for the service that uses the folder, and requests its window. Returns `client` if it listens but has no window;
 * undefined if no process uses the folder any more, or at the time `end`.
 */
async function showWindow(data: string, end: number): Promise<'window' | 'client' | undefined> {
  while (!requestShow(data)) {
    if (performance.now() > end || !isLocked(data)) return undefined;
    if ((listeningMs(data) ?? 0) > windowDelayMs) return 'client';
    await after(pollIntervalMs);
  }
  return 'window';
}

/** Shows the failure in a dialog and writes it to the log. `lines`: what was written to standard error. */
async function reportFailure(
  lines: readonly string[],
  settings: LoadedSettings,
  problem?: unknown,
): Promise<void> {
  const sentence = sentenceOf(lines);
  // Two processes must not rotate one log, so that the log of a running service is only named.
  const logFile =
    problem instanceof DataFolderInUse ? logPath(settings) : logFailure(sentence, lines, settings);
  try {
    await showFailedStart(locateRuntime(), { sentence, ...(logFile !== undefined && { logFile }) });
  } catch {
    // Without Electron there is no dialog. The command line reports the failure.
  }
}

/** Returns the last message of the command line, or the last line of another program, such as the loader of shared libraries. */
function sentenceOf(lines: readonly string[]): string {
  const prefix = 'platen: ';
  const message = lines.findLast((line) => line.startsWith(prefix))?.slice(prefix.length);
  return message ?? lines.findLast((line) => line.trim() !== '') ?? 'Platen ended without a message.';
}

function logPath(settings: LoadedSettings): string {
  return resolve(settings.data, settings['log-file'] ?? defaultLogFile);
}

/** Writes the failure to the log file and returns its path; undefined if it cannot be written. */
function logFailure(
  sentence: string,
  lines: readonly string[],
  settings: LoadedSettings,
): string | undefined {
  try {
    const log = openServiceLog({ ...settings, 'log-file': logPath(settings) }, false);
    log.fatal({ stderr: lines }, `Platen did not start: ${sentence}`);
    return logPath(settings);
  } catch {
    return undefined;
  }
}
