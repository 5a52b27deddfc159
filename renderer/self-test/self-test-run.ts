/** The last self-test of this window. It survives a switch to another view. */
import { signal } from '@preact/signals';
import type { SelfTestReport } from '../../main/console/contract.ts';
import type { Bridge } from '../bridge/bridge.ts';

export type SelfTestState =
  | { readonly is: 'none' }
  | { readonly is: 'running'; readonly began: number }
  | { readonly is: 'over'; readonly report: SelfTestReport }
  | { readonly is: 'refused'; readonly message: string };

export const selfTest = signal<SelfTestState>({ is: 'none' });

export async function runSelfTest(bridge: Pick<Bridge, 'call'>): Promise<void> {
  if (selfTest.value.is === 'running') return;
  selfTest.value = { is: 'running', began: Date.now() };
  try {
    selfTest.value = { is: 'over', report: await bridge.call('selfTest', {}) };
  } catch (problem) {
    selfTest.value = { is: 'refused', message: problem instanceof Error ? problem.message : String(problem) };
  }
}
