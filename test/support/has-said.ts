/** Waits for what a service says: it comes by way of its launcher, and may come after the answer it belongs to. */
import type { Service } from './service.ts';

/** Resolves when it has said so often that it listens. @throws Error when it ends before */
export function hasListened(service: Service, times: number): Promise<void> {
  return until(service, () => listenings(service).length >= times);
}

/** The addresses it has said it listens on, one for each start. */
export function listenings(service: Pick<Service, 'said'>): readonly string[] {
  return [...service.said().matchAll(/Platen listening on (\S+)\n/g)].map(([, url = '']) => url);
}

/** Resolves when there is a line of its log that is so. @throws Error when it ends before */
export async function hasLogged(
  service: Service,
  right: (line: Readonly<Record<string, unknown>>) => boolean,
): Promise<Readonly<Record<string, unknown>>> {
  await until(service, () => logLines(service).some(right));
  return logLines(service).find(right) ?? {};
}

/** Resolves when it has written so often to standard error what this finds, with how often. @throws Error when it ends before */
export async function hasWritten(service: Service, what: RegExp, times = 1): Promise<number> {
  const found = () => service.log().match(new RegExp(what, 'gm'))?.length ?? 0;
  await until(service, () => found() >= times);
  return found();
}

/** Lines of its log so far; what else it has written to standard error is not among them. */
export function logLines(service: Pick<Service, 'log'>): readonly Readonly<Record<string, unknown>>[] {
  const whole = service.log().split('\n').slice(0, -1);
  return whole
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function until({ process: launcher, log }: Service, right: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const streams = [launcher.stdout, launcher.stderr];
    const look = () => {
      if (right()) end(resolve);
    };
    const onEnd = () => {
      end(() => {
        reject(new Error(`the service ended with ${String(launcher.exitCode)}: ${log()}`));
      });
    };
    const end = (settle: () => void) => {
      launcher.stderr?.off('end', onEnd);
      for (const stream of streams) stream?.off('data', look);
      settle();
    };
    launcher.stderr?.once('end', onEnd);
    for (const stream of streams) stream?.on('data', look);
    look();
  });
}
