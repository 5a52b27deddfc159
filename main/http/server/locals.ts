/** Typed state that handlers share about one request, such as its account and its job. */
import type { Response } from 'express';
import type { Account } from '../../accounts/account.ts';
import type { Failure } from '../../failure/failure.ts';
import type { DebugLog } from '../../log/debug-log.ts';
import { aboutJob, type ServiceLog } from '../../log/service-log.ts';

interface Locals {
  account?: Account;
  job?: string;
  tag?: string | undefined;
  debugLog?: DebugLog;
  brokenOff?: Failure;
  refusedInJson?: true;
}

const locals = (response: Response): Locals => response.locals;

/** Returns the account of the request. @throws Error for a request that has not passed authentication */
export function accountOf(response: Response): Account {
  const { account } = locals(response);
  if (account === undefined) throw new Error('the route does not require authentication');
  return account;
}

/** Whether the request has passed authentication. */
export function isKnown(response: Response): boolean {
  return locals(response).account !== undefined;
}

export function setAccount(response: Response, account: Account): void {
  locals(response).account = account;
}

export function setJob(response: Response, job: string): void {
  locals(response).job = job;
}

/** Sets the caller's tag of the job, if any. */
export function setTag(response: Response, tag: string | undefined): void {
  locals(response).tag = tag;
}

/** Returns the debug log of the job, once it exists. */
export function debugLogOf(response: Response): DebugLog | undefined {
  return locals(response).debugLog;
}

export function setDebugLog(response: Response, log: DebugLog): void {
  locals(response).debugLog = log;
}

/** Returns why the answer was broken off, when that could not be sent to the caller. */
export function brokenOffOf(response: Response): Failure | undefined {
  return locals(response).brokenOff;
}

export function setBrokenOff(response: Response, failure: Failure): void {
  locals(response).brokenOff = failure;
}

/** Whether an error answer is always JSON. */
export function isRefusedInJson(response: Response): boolean {
  return locals(response).refusedInJson === true;
}

export function refuseInJson(response: Response): void {
  locals(response).refusedInJson = true;
}

/** Returns the service log. For a job, every line contains its id, account and tag. */
export function logOf(response: Response, log: ServiceLog): ServiceLog {
  const { job, tag } = locals(response);
  return job === undefined ? log : aboutJob(log, { job, account: accountOf(response).name, tag });
}
