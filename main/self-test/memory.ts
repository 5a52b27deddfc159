/** Whether there is memory for jobs. */
import { freeMemory } from '../engine/free-memory.ts';
import type { Check } from './check.ts';
import { inMegabytes } from './folders.ts';

export const memory: Check = {
  name: 'memory',
  advice: 'End other programs, give the machine more, or set fewer workers.',
  run({ settings }) {
    const free = freeMemory();
    if (free === undefined) return Promise.resolve('How much memory is free is not known on this system.');
    const said = `${inMegabytes(free)} of memory are free`;
    if (free >= settings['memory-reserve']) return Promise.resolve(`${said}.`);
    const reserve = inMegabytes(settings['memory-reserve']);
    return Promise.reject(
      new Error(`only ${said}, less than memory-reserve (${reserve}), so jobs begin one at a time`),
    );
  },
};
