/** Waits for what a service that is started anew says meanwhile. */
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
    const onExit = (code: number | null) => {
      end(() => {
        reject(new Error(`the service ended with ${String(code)}: ${log()}`));
      });
    };
    const end = (settle: () => void) => {
      launcher.off('exit', onExit);
      for (const stream of streams) stream?.off('data', look);
      settle();
    };
    launcher.once('exit', onExit);
    for (const stream of streams) stream?.on('data', look);
    look();
  });
}
