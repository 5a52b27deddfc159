/** Dispatches console calls: finds the handler by name, checks the caller's rights, validates the input and runs the handler. */
import type { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import { Failure } from '../failure/failure.ts';
import { nearestName } from '../fields/nearest.ts';
import {
  calls,
  type CallName,
  type ParsedInputOf,
  type CallResults,
  type ConsoleRefusal,
} from './contract.ts';

/** The handler of each call. */
export type Handlers = {
  readonly [N in CallName]: (
    input: ParsedInputOf<N>,
    caller: Account,
    baseUrl?: string,
  ) => Promise<CallResults[N]>;
};

/**
 * Runs a call. The result can be serialised as JSON or sent to another process.
 * @throws Failure notFound for an unknown name, operatorOnly, valueNotAllowed for invalid input, and the failures of the handler
 */
export type ConsoleCallHandler = (request: CallRequest) => Promise<unknown>;

interface CallRequest {
  readonly name: string;
  readonly input: unknown;
  readonly caller: Account;
  /** The service's address as the caller sees it, without a trailing slash. If absent, the result of `serviceAddress` is used. */
  readonly baseUrl?: string;
}

export function openCalls(handlers: Handlers): ConsoleCallHandler {
  return async ({ name, input, caller, baseUrl }) => {
    const callName = checkName(name);
    if (calls[callName].right === 'operator' && !caller.operator) throw operatorOnly(callName);
    const handle = handlers[callName] as UntypedHandler;
    return handle(readInput(callName, input), caller, baseUrl);
  };
}

type UntypedHandler = (input: unknown, caller: Account, baseUrl?: string) => Promise<unknown>;

function checkName(name: string): CallName {
  if (Object.hasOwn(calls, name)) return name as CallName;
  const suggestion = nearestName(name, Object.keys(calls));
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  throw new Failure('notFound', `'${name.slice(0, 100)}' is not a call of the console${hint}`);
}

/** Limits that keep the response and the log line short. */
const maxProblems = 10;
const maxProblemLength = 300;

function readInput(name: CallName, input: unknown): unknown {
  const schema: z.ZodType = calls[name].input;
  const read = schema.safeParse(input ?? {});
  if (read.success) return read.data;
  const problems = read.error.issues
    .slice(0, maxProblems)
    .map(({ path, message }) => `${path.join('.') || 'the input'}: ${message}`.slice(0, maxProblemLength));
  throw new Failure('valueNotAllowed', `The input of ${name} is not valid: ${problems.join('; ')}.`);
}

function operatorOnly(name: CallName): Failure {
  return new Failure('operatorOnly', `Only operators may call ${name}; this account is not an operator.`);
}

/** Returns a failure in the format of console replies. */
export function refusalOf({ status, reason, message, retryAfter }: Failure): ConsoleRefusal {
  return { status, reason, message, ...(retryAfter !== undefined && { retryAfter }) };
}
