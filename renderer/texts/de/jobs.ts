/** The record of jobs, and what explains one. */
import type { jobs as english } from '../en/jobs.ts';

export const jobs: Readonly<Record<keyof typeof english, string>> = {
  'jobs.empty.title': 'Noch keine Aufträge',
};
