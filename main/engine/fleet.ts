/** The windows and their seats: idle ones of each kind, new ones when none is idle, cleaned or replaced when they come back. */
import type { ServiceLog } from '../log/service-log.ts';
import { openGuard, type GuardOptions } from '../network/proxy.ts';
import { recycle } from './recycle.ts';
import { openSeat, wipeNetwork, wipeStorage, type Seat } from './seat.ts';
import { destroyWindow, openWindow, type EngineWindow, type WindowKind } from './window.ts';

export interface FleetOptions {
  /** Jobs after which a window is replaced. */
  readonly windowJobs: number;
  readonly network: Pick<GuardOptions, 'rules' | 'upstreamProxy'>;
  readonly log: ServiceLog;
}

export interface Fleet extends AsyncDisposable {
  readonly take: (kind: WindowKind) => Promise<EngineWindow>;
  /** Cleans it for the next job, or ends it. Never rejects. */
  readonly giveBack: (window: EngineWindow) => Promise<void>;
}

/** Longer than any cleaning takes; a window that is not clean by then is stuck. */
const cleaningPatience = 5000;

/** A hundred times what opening takes. */
const openingPatience = 15_000;

/** Opens with one window of each kind in wait. */
export async function openFleet(options: FleetOptions): Promise<Fleet> {
  const idle: Record<WindowKind, EngineWindow[]> = { still: [], live: [] };
  const seats = manageSeats(options);
  const open = async (kind: WindowKind) => {
    const seat = await seats.take();
    try {
      return await within(openingPatience, openWindow(kind, seat));
    } catch (problem) {
      await seats.giveBack(seat);
      throw problem;
    }
  };
  const retire = async (window: EngineWindow) => {
    await destroyWindow(window);
    await seats.giveBack(window.seat);
  };
  idle.still.push(await open('still'));
  idle.live.push(await open('live'));
  return {
    async take(kind) {
      for (let window = idle[kind].pop(); window !== undefined; window = idle[kind].pop()) {
        if (window.broken === undefined) return window;
        // Its renderer was lost while it waited.
        await retire(window);
      }
      return open(kind);
    },
    async giveBack(window) {
      if (await isFitForMore(window, options)) idle[window.kind].push(window);
      else await retire(window);
    },
    async [Symbol.asyncDispose]() {
      const windows = [...idle.still.splice(0), ...idle.live.splice(0)];
      await Promise.all(windows.map(destroyWindow));
      await Promise.all(
        [...seats.free, ...windows.map(({ seat }) => seat)].map(({ guard }) => guard[Symbol.asyncDispose]()),
      );
    },
  };
}

/** Hands seats out, and cleans them when their window has gone. */
function manageSeats({ network, log }: FleetOptions) {
  const free: Seat[] = [];
  const openNew = async () => {
    const guard = await openGuard({
      ...network,
      log(refusal) {
        log.warn({ refusal }, 'the network policy refused a request');
      },
    });
    return openSeat(guard);
  };
  return {
    free,
    take: async () => free.pop() ?? (await openNew()),
    async giveBack(seat: Seat) {
      seat.document.withdraw();
      try {
        await within(cleaningPatience, Promise.all([wipeStorage(seat), wipeNetwork(seat)]));
        free.push(seat);
      } catch (problem) {
        log.warn({ err: problem }, 'a session could not be cleaned and is given up');
        await seat.guard[Symbol.asyncDispose]();
      }
    },
  };
}

async function isFitForMore(window: EngineWindow, { windowJobs, log }: FleetOptions): Promise<boolean> {
  if (window.broken === undefined && window.jobs < windowJobs) {
    try {
      await within(cleaningPatience, recycle(window));
    } catch (problem) {
      window.broken = `not cleaned: ${String(problem)}`;
    }
  }
  if (window.broken !== undefined) log.info({ why: window.broken }, 'a window is replaced');
  return window.broken === undefined && window.jobs < windowJobs;
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`took more than ${milliseconds} ms`));
    }, milliseconds);
  });
  return Promise.race([promise, late]).finally(() => {
    clearTimeout(timer);
  });
}
