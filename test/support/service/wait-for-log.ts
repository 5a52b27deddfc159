/** Waits for output of a service. The launcher forwards the output, so it may arrive after the response to a request. */
import type { Service } from './service.ts';

/** Resolves when the service has printed `times` URLs that it listens on. @throws Error if the service ends first */
export function waitForListening(service: Service, times: number): Promise<void> {
  return waitUntil(service, () => listeningUrls(service).length >= times);
}

/** Returns the printed URLs, one for each start of the service. */
export function listeningUrls(service: Pick<Service, 'stdout'>): readonly string[] {
  return [...service.stdout().matchAll(/Platen listening on (\S+)\n/g)].map(([, url = '']) => url);
}

/** Resolves with the first matching line of the log. @throws Error if the service ends first */
export async function waitForLogLine(
  service: Service,
  matches: (line: Readonly<Record<string, unknown>>) => boolean,
): Promise<Readonly<Record<string, unknown>>> {
  await waitUntil(service, () => logLines(service).some(matches));
  return logLines(service).find(matches) ?? {};
}

/**
 * Resolves with the number of matches in standard error when there are at least `times`.
 * @throws Error if the service ends first
 */
export async function waitForStderr(service: Service, what: RegExp, times = 1): Promise<number> {
  const found = () => service.log().match(new RegExp(what, 'gm'))?.length ?? 0;
  await waitUntil(service, () => found() >= times);
  return found();
}

/** Returns the parsed log lines so far, without other output on standard error. */
export function logLines(service: Pick<Service, 'log'>): readonly Readonly<Record<string, unknown>>[] {
  const complete = service.log().split('\n').slice(0, -1);
  return complete
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function waitUntil({ process: launcher, log }: Service, isDone: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const streams = [launcher.stdout, launcher.stderr];
    const check = () => {
      if (isDone()) end(resolve);
    };
    const onEnd = () => {
      end(() => {
        reject(new Error(`the service ended with ${String(launcher.exitCode)}: ${log()}`));
      });
    };
    const end = (settle: () => void) => {
      launcher.stderr?.off('end', onEnd);
      for (const stream of streams) stream?.off('data', check);
      settle();
    };
    launcher.stderr?.once('end', onEnd);
    for (const stream of streams) stream?.on('data', check);
    check();
  });
}
