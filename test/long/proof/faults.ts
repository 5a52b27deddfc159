/** What happens to the nodes and the database during the proof, one fault after the other. */
import { setTimeout as pause } from 'node:timers/promises';
import { pick, shuffled, type Random } from '../../soak/random.ts';
import type { ProofCluster } from './proof-cluster.ts';

type FaultKind = 'kill' | 'suspend' | 'drain' | 'restart';

/** Each round has these, in another order. */
const faultsOfRound: readonly FaultKind[] = [
  'kill',
  'kill',
  'suspend',
  'drain',
  'kill',
  'restart',
  'restart',
];

interface FaultSchedule {
  readonly random: Random;
  readonly say: (line: string) => void;
  /** Returns whether the jobs have ended, after which no further round begins. */
  readonly isOver: () => boolean;
}

/** Runs at least one round of faults, and further ones until the jobs have ended. Returns the number of faults. */
export async function causeFaults(cluster: ProofCluster, schedule: FaultSchedule): Promise<number> {
  const { random, say, isOver } = schedule;
  let count = 0;
  do {
    for (const kind of shuffled(faultsOfRound, random)) {
      await pause(1000 + random() * 3000);
      await causeFault(kind, cluster, { random, say });
      count += 1;
      if (count >= faultsOfRound.length && isOver()) break;
    }
  } while (!isOver());
  return count;
}

async function causeFault(
  kind: FaultKind,
  cluster: ProofCluster,
  { random, say }: Pick<FaultSchedule, 'random' | 'say'>,
): Promise<void> {
  const index = Math.floor(random() * 3);
  const name = cluster.nameOf(index);
  switch (kind) {
    case 'kill':
      say(`kill ${name}`);
      await cluster.kill(index, random() * 8000);
      break;
    case 'suspend': {
      const seconds = Math.round(25 + random() * 15);
      say(`suspend ${name} for ${seconds} s`);
      await cluster.suspend(index, seconds * 1000);
      break;
    }
    case 'drain':
      say(`drain and restart ${name}`);
      await cluster.drain(index, 8000 + random() * 6000);
      break;
    case 'restart': {
      const mode = pick(['fast', 'immediate'] as const, random);
      say(`restart PostgreSQL (${mode})`);
      await cluster.restartPostgres(mode, random() * 6000);
      break;
    }
  }
}
