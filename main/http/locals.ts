/** What handlers tell each other about one request, with types: whose it is, and which job. */
import type { Response } from 'express';
import type { Account } from '../accounts/account.ts';

interface Locals {
  account?: Account;
  job?: string;
  tag?: string | undefined;
}

const locals = (response: Response): Locals => response.locals;

/** Whose request it is. @throws Error for a request that has not passed authentication */
export function accountOf(response: Response): Account {
  const { account } = locals(response);
  if (account === undefined) throw new Error('this route is not behind authentication');
  return account;
}

export function setAccount(response: Response, account: Account): void {
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
