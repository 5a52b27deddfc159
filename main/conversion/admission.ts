/** Whether a job may come in, before anything of it is read. The one place that all doors ask. */
import type { House } from '../convert.ts';
import type { Pausing } from '../pausing.ts';

export interface Doors extends Pick<House, 'preparations' | 'engine'> {
  readonly pausing: Pick<Pausing, 'refusal'>;
}

/** Who would be refused when all of it is there is refused now, and everybody while it is paused. @throws Failure unavailable */
export function refuseBeforehand(account: string, { pausing, preparations, engine }: Doors): void {
  const refusal = pausing.refusal() ?? preparations.refusalOf(account) ?? engine.refusalOf(account);
  if (refusal !== undefined) throw refusal;
}
