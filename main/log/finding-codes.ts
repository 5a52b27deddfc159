/** What can be found to explain a result: the codes are stable, for programs and translations. */
export const findingCodes = [
  'ignored-input',
  'option-without-effect',
  'not-quiet',
  'late-resources',
  'late-changes',
  'missing-resource',
  'slow-resource',
  'blocked-resource',
  'redirect-loop',
  'script-error',
  'font-substituted',
  'font-not-loaded',
  'glyphs-missing',
  'wrong-encoding',
  'content-overflows',
  'content-split',
  'content-taller-than-page',
  'image-broken',
  'image-oversized',
  'strip-clipped',
  'blank-pages-removed',
  'renderer-lost',
  'log-cut',
] as const;

export type FindingCode = (typeof findingCodes)[number];
