/** What handlers tell each other about one request, with types: whose it is, and which job. */
import type { Response } from 'express';

interface Locals {
  account?: string;
  job?: string;
  tag?: string | undefined;
}

const locals = (response: Response): Locals => response.locals;

/** Whose request it is; only behind authentication. */
export function accountOf(response: Response): string {
  return locals(response).account ?? '';
}

export function setAccount(response: Response, account: string): void {
  locals(response).account = account;
}

/** The job's id, or '' for a request that is none. */
export function jobOf(response: Response): string {
  return locals(response).job ?? '';
}

export function setJob(response: Response, job: string): void {
  locals(response).job = job;
}

/** The caller's own word for the job, where there is one. */
export function tagOf(response: Response): string | undefined {
  return locals(response).tag;
}

export function setTag(response: Response, tag: string | undefined): void {
  locals(response).tag = tag;
}
