/** Whether a job may come in, before anything of it is read. The one place that all doors ask. */
import type { House } from '../convert.ts';

/** Who would be refused when all of it is there is refused now. @throws Failure unavailable */
export function refuseIfFull(account: string, { preparations, engine }: Doors): void {
  const refusal = preparations.refusalOf(account) ?? engine.refusalOf(account);
  if (refusal !== undefined) throw refusal;
}

type Doors = Pick<House, 'preparations' | 'engine'>;
