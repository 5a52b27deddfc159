/** What is left of each account's credits, asked for when somebody wants to know. */
import { Gauge, type Registry } from 'prom-client';

export interface Balance {
  readonly account: string;
  readonly remaining: number;
}

/** Registers the metric; accounts without a limit are not among the balances. */
export function gaugeBalances(registry: Registry, balances: () => Promise<readonly Balance[]>): void {
  new Gauge({
    name: 'platen_credits_remaining',
    help: 'Credits an account has left; accounts without a limit have no series.',
    labelNames: ['account'],
    registers: [registry],
    async collect() {
      // What cannot be told just now is left out: the rest is worth having.
      const known = await balances().catch(() => []);
      this.reset();
      for (const { account, remaining } of known) this.set({ account }, remaining);
    },
  });
}
