/** The call being composed: input, options, code. */
import type { call as english } from '../en/call.ts';

export const call: Readonly<Record<keyof typeof english, string>> = {
  'call.input.html': 'HTML',
};
