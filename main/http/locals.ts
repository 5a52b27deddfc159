/** What handlers tell each other about one request, with types: whose it is, and which job. */
import type { Response } from 'express';
import type { Account } from '../accounts/account.ts';
import type { Failure } from '../failure/failure.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { aboutJob, type ServiceLog } from '../log/service-log.ts';

interface Locals {
  account?: Account;
  job?: string;
  tag?: string | undefined;
  debugLog?: DebugLog;
  brokenOff?: Failure;
  refusedInJson?: true;
}

const locals = (response: Response): Locals => response.locals;

/** Whose request it is. @throws Error for a request that has not passed authentication */
export function accountOf(response: Response): Account {
  const { account } = locals(response);
  if (account === undefined) throw new Error('this route is not behind authentication');
  return account;
}

/** True once it has shown right credentials. */
export function isKnown(response: Response): boolean {
  return locals(response).account !== undefined;
}

export function setAccount(response: Response, account: Account): void {
  locals(response).account = account;
}

export function setJob(response: Response, job: string): void {
  locals(response).job = job;
}

/** The caller's own word for the job, where there is one. */
export function setTag(response: Response, tag: string | undefined): void {
  locals(response).tag = tag;
}

/** The job's own log, once it has one. */
export function debugLogOf(response: Response): DebugLog | undefined {
  return locals(response).debugLog;
}

export function setDebugLog(response: Response, log: DebugLog): void {
  locals(response).debugLog = log;
}

/** Why the answer was broken off in the middle, where its caller could not be told. */
export function brokenOffOf(response: Response): Failure | undefined {
  return locals(response).brokenOff;
}

export function setBrokenOff(response: Response, failure: Failure): void {
  locals(response).brokenOff = failure;
}

/** Whether its refusal is JSON, asked for or not. */
export function isRefusedInJson(response: Response): boolean {
  return locals(response).refusedInJson === true;
}

export function refuseInJson(response: Response): void {
  locals(response).refusedInJson = true;
}

/** The service's log, with the job's names in every line when the request is one. */
export function logOf(response: Response, log: ServiceLog): ServiceLog {
  const { job, tag } = locals(response);
  return job === undefined ? log : aboutJob(log, { job, account: accountOf(response).name, tag });
}
