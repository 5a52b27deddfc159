/** The seats of windows: handed out, and cleaned when their window has gone. There are never more than were needed at once. */
import type { ServiceLog } from '../log/service-log.ts';
import { watchOwnPlaces } from '../network/own-places.ts';
import { openGuard, type Guard, type GuardOptions } from '../network/proxy.ts';
import { endRequests, openSeat, wipeNetwork, wipeStorage, type Seat } from './seat.ts';
import { within } from './within.ts';

export interface NetworkOptions extends Pick<GuardOptions, 'rules' | 'upstreamProxy' | 'resolve'> {
  /** What one page may load: settings page-requests and page-size. */
  readonly limits?: GuardOptions['limits'];
  /** The port the service listens on, which no page may reach; undefined while it does not. */
  readonly servicePort?: () => number | undefined;
}

interface SeatOptions {
  readonly network: NetworkOptions;
  readonly log: ServiceLog;
}

export interface Seats {
  readonly take: () => Promise<Seat>;
  /** Cleans it for another window, or gives it up. Never rejects. */
  readonly giveBack: (seat: Seat) => Promise<void>;
  /** Ends the guards of those that are free, and of these. */
  readonly dispose: (others: readonly Seat[]) => Promise<void>;
}

/** Milliseconds; a thousand times what it takes to open a seat, or to clean one. */
const patience = 5000;

export function openSeats({ network, log }: SeatOptions): Seats {
  const free: Seat[] = [];
  const { limits, servicePort = () => undefined } = network;
  const guards = new Set<number>();
  const own = watchOwnPlaces({ guards, service: servicePort });
  const giveUp = async (guard: Guard) => {
    await guard[Symbol.asyncDispose]();
    guards.delete(guard.port);
  };
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
    try {
      return await within(patience, openSeat({ guard, journal, mostRequests: limits?.requests }));
    } catch (problem) {
      await giveUp(guard);
      throw problem;
    }
  };
  return {
    take: async () => free.pop() ?? (await openNew()),
    async giveBack(seat) {
      seat.document.withdraw();
      try {
        await within(patience, wipe(seat));
        seat.journal.log = log;
        free.push(seat);
      } catch (problem) {
        seat.journal.log.warn({ err: problem }, 'a session could not be cleaned and is given up');
        await giveUp(seat.guard);
      }
    },
    async dispose(others) {
      await Promise.all([...free, ...others].map(({ guard }) => guard[Symbol.asyncDispose]()));
    },
  };
}

async function wipe(seat: Seat): Promise<void> {
  await endRequests(seat);
  await Promise.all([wipeStorage(seat), wipeNetwork(seat)]);
}
