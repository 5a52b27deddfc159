/** Whether conversions work at all: the canary, through a window of each kind. */
import { convertCanary } from '../canary.ts';
import type { Check } from './check.ts';

export const conversion: Check = {
  name: 'conversion',
  advice:
    "Look into the service's log for what Chromium says, and see that the libraries and the display it needs are there.",
  async run(trial) {
    await convertCanary(trial, trial.signal);
    return 'A document and a picture were converted, through a window of each kind, behind the network guard.';
  },
};
