/** Runs: starting, progress, results. */
export const run = {
  'run.convert': 'Convert',
  'run.cancel': 'Cancel',
  'run.live': 'Live',
  'run.split': 'Width of the two sides',
  'run.sides.call': 'The call',
  'run.sides.result': 'The result',
  'run.tab.input': 'Input',
  'run.tab.options': 'Options',
  'run.tab.code': 'Code',
  'run.tab.result': 'Result',
  'run.tab.explain': 'Explain',
} as const;
