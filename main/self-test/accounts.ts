/** Whether the accounts database can be read and written. */
import type { Check } from './check.ts';

export const accounts: Check = {
  name: 'accounts',
  advice:
    'See that the disk is not full, that accounts.sqlite in the data folder belongs to the user of the service, and that no other program holds it.',
  async run({ tryOut }) {
    const count = await tryOut();
    return `An account was written, read and taken back; there ${count === 1 ? 'is one' : `are ${count || 'none'}`}.`;
  },
};
