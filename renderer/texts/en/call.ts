/** The call being composed: input, options, code. */
export const call = {
  'call.input.html': 'HTML',
} as const;
