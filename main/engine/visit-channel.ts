/** The name that page-preload.ts and visits.ts share. */
export const firstVisitChannel = 'first-visit';
