/** Typed state of one request that its handlers share, such as its account and its job. */
import type { Response } from 'express';
import type { Account } from '../../accounts/account.ts';
import type { Failure } from '../../failure/failure.ts';
import type { DebugLog } from '../../log/debug-log.ts';
import { withJobFields, type ServiceLog } from '../../log/service-log.ts';

interface Locals {
  account?: Account;
  job?: string;
  tag?: string | undefined;
  debugLog?: DebugLog;
  unsentFailure?: Failure;
  errorsAsJson?: true;
}

const locals = (response: Response): Locals => response.locals;

/** Returns the account of the request. @throws Error for a request that has not passed authentication */
export function accountOf(response: Response): Account {
  const { account } = locals(response);
  if (account === undefined) throw new Error('the route does not require authentication');
  return account;
}

export function setAccount(response: Response, account: Account): void {
  locals(response).account = account;
}

export function setJob(response: Response, job: string): void {
  locals(response).job = job;
}

/** Sets the tag that the caller has given the job, if any. */
export function setTag(response: Response, tag: string | undefined): void {
  locals(response).tag = tag;
}

/** Returns the debug log of the job; undefined before it is opened. */
export function debugLogOf(response: Response): DebugLog | undefined {
  return locals(response).debugLog;
}

export function setDebugLog(response: Response, log: DebugLog): void {
  locals(response).debugLog = log;
}

/** Returns the failure that ended the response, if it could not be sent to the caller. */
export function unsentFailureOf(response: Response): Failure | undefined {
  return locals(response).unsentFailure;
}

export function setUnsentFailure(response: Response, failure: Failure): void {
  locals(response).unsentFailure = failure;
}

/** Returns whether error responses to this request are always JSON. */
export function sendsErrorsAsJson(response: Response): boolean {
  return locals(response).errorsAsJson === true;
}

export function setErrorsAsJson(response: Response): void {
  locals(response).errorsAsJson = true;
}

/** Returns the service log. For a job, every line includes the job's id, account and tag. */
export function logOf(response: Response, log: ServiceLog): ServiceLog {
  const { job, tag } = locals(response);
  return job === undefined ? log : withJobFields(log, { job, account: accountOf(response).name, tag });
}
