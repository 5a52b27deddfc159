/** The record of jobs, and what explains one. */
export const jobs = {
  'jobs.empty.title': 'No jobs yet',
} as const;
