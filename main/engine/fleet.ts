/** The windows and their seats: idle ones of each kind, new ones when none is idle, cleaned or replaced when they come back. */
import type { ServiceLog } from '../log/service-log.ts';
import { watchOwnPlaces } from '../network/own-places.ts';
import { openGuard, type GuardOptions } from '../network/proxy.ts';
import { recycle } from './recycle.ts';
import { replacementReason, type ReplacementReason } from './replacement.ts';
import { openSeat, wipeNetwork, wipeStorage, type Seat } from './seat.ts';
import { destroyWindow, openWindow, type EngineWindow, type WindowKind } from './window.ts';

export interface NetworkOptions extends Pick<GuardOptions, 'rules' | 'upstreamProxy' | 'resolve'> {
  /** What one page may load: settings page-requests and page-size. */
  readonly limits?: GuardOptions['limits'];
  /** The port the service listens on, which no page may reach; undefined while it does not. */
  readonly servicePort?: () => number | undefined;
}

export interface FleetOptions {
  /** Jobs after which a window is replaced. */
  readonly windowJobs: number;
  readonly network: NetworkOptions;
  readonly log: ServiceLog;
  /** Called for each window that is not used again. */
  readonly onReplaced?: (why: ReplacementReason) => void;
}

/** Windows of one kind: those that wait for a job, and those that have one or are cleaned after it. */
export interface WindowCount {
  readonly idle: number;
  readonly working: number;
}

export interface Fleet extends AsyncDisposable {
  readonly take: (kind: WindowKind) => Promise<EngineWindow>;
  /** Cleans it for the next job, or ends it. Never rejects. */
  readonly giveBack: (window: EngineWindow) => Promise<void>;
  readonly windows: Readonly<Record<WindowKind, WindowCount>>;
}

/** Longer than any cleaning takes; a window that is not clean by then is stuck. */
const cleaningPatience = 5000;

/** A hundred times what opening takes. */
const openingPatience = 15_000;

/** Opens with one window of each kind in wait. */
export async function openFleet(options: FleetOptions): Promise<Fleet> {
  const idle: Record<WindowKind, EngineWindow[]> = { still: [], live: [] };
  const lent: Record<WindowKind, Set<EngineWindow>> = { still: new Set(), live: new Set() };
  const seats = manageSeats(options);
  const open = (kind: WindowKind) => openOn(seats, kind);
  const retire = async (window: EngineWindow) => {
    tellReplacement(window, options);
    await destroyWindow(window);
    await seats.giveBack(window.seat);
  };
  const sound = async (kind: WindowKind) => {
    for (let window = idle[kind].pop(); window !== undefined; window = idle[kind].pop()) {
      if (window.broken === undefined) return window;
      // Its renderer was lost while it waited.
      await retire(window);
    }
    return open(kind);
  };
  const countOf = (kind: WindowKind) => ({ idle: idle[kind].length, working: lent[kind].size });
  idle.still.push(await open('still'));
  idle.live.push(await open('live'));
  return {
    async take(kind) {
      const window = await sound(kind);
      lent[kind].add(window);
      return window;
    },
    async giveBack(window) {
      try {
        if (await isFitForMore(window, options)) {
          window.seat.journal.log = options.log;
          idle[window.kind].push(window);
        } else await retire(window);
      } finally {
        lent[window.kind].delete(window);
      }
    },
    get windows() {
      return { still: countOf('still'), live: countOf('live') };
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

async function openOn(seats: ReturnType<typeof manageSeats>, kind: WindowKind): Promise<EngineWindow> {
  const seat = await seats.take();
  try {
    return await within(openingPatience, openWindow(kind, seat));
  } catch (problem) {
    await seats.giveBack(seat);
    throw problem;
  }
}

/** Hands seats out, and cleans them when their window has gone. */
function manageSeats({ network, log }: FleetOptions) {
  const { limits, servicePort = () => undefined } = network;
  const free: Seat[] = [];
  const guards = new Set<number>();
  const own = watchOwnPlaces({ guards, service: servicePort });
  const openNew = async () => {
    const journal = { log };
    const guard = await openGuard({
      ...network,
      // Chromium connects ahead, and asks again, by itself; what pages ask for is counted above the guard.
      limits: limits && { ...limits, requests: 2 * limits.requests },
      own,
      log(refusal) {
        journal.log.warn({ refusal }, 'the network policy refused a request');
      },
    });
    guards.add(guard.port);
    return openSeat({ guard, journal, mostRequests: limits?.requests });
  };
  return {
    free,
    take: async () => free.pop() ?? (await openNew()),
    async giveBack(seat: Seat) {
      seat.document.withdraw();
      try {
        await within(cleaningPatience, Promise.all([wipeStorage(seat), wipeNetwork(seat)]));
        seat.journal.log = log;
        free.push(seat);
      } catch (problem) {
        seat.journal.log.warn({ err: problem }, 'a session could not be cleaned and is given up');
        await seat.guard[Symbol.asyncDispose]();
        guards.delete(seat.guard.port);
      }
    },
  };
}

async function isFitForMore(window: EngineWindow, { windowJobs }: FleetOptions): Promise<boolean> {
  if (window.broken === undefined && window.jobs < windowJobs) {
    try {
      await within(cleaningPatience, recycle(window));
    } catch (problem) {
      window.broken = `not cleaned: ${String(problem)}`;
    }
  }
  return window.broken === undefined && window.jobs < windowJobs;
}

function tellReplacement({ broken, jobs, seat }: EngineWindow, { onReplaced }: FleetOptions): void {
  onReplaced?.(replacementReason(broken));
  if (broken === undefined) seat.journal.log.debug({ jobs }, 'a window has done its share and is replaced');
  else seat.journal.log.info({ why: broken }, 'a window is replaced');
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
