/** The console's door: a call comes by its name with whatever was sent, is looked up in the table, read and answered. */
import type { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import { Failure } from '../failure/failure.ts';
import { nearest } from '../fields/nearest.ts';
import { calls, type CallName, type ReadOf, type Results } from './contract.ts';

/** What answers each call. */
export type Handlers = {
  readonly [N in CallName]: (input: ReadOf<N>, caller: Account, baseUrl?: string) => Promise<Results[N]>;
};

/**
 * A call's answer, ready to become JSON or to be sent to another process.
 * @throws Failure notFound for a name that is none, operatorOnly, valueNotAllowed for an input that is not the call's, and
 *   whatever the call itself throws
 */
export type Call = (request: CallRequest) => Promise<unknown>;

export interface CallRequest {
  readonly name: string;
  readonly input: unknown;
  readonly caller: Account;
  /** The service's address as the caller knows it, without a slash at its end; absent: as it is known here. */
  readonly baseUrl?: string;
}

export function openCalls(handlers: Handlers): Call {
  return async ({ name, input, caller, baseUrl }) => {
    const known = knownCall(name);
    if (calls[known].right === 'operator' && !caller.operator) throw operatorOnly(known);
    const handle = handlers[known] as Handle;
    return handle(readInput(known, input), caller, baseUrl);
  };
}

type Handle = (input: unknown, caller: Account, baseUrl?: string) => Promise<unknown>;

function knownCall(name: string): CallName {
  if (Object.hasOwn(calls, name)) return name as CallName;
  const meant = nearest(name, Object.keys(calls));
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new Failure('notFound', `'${name.slice(0, 100)}' is not a call of the console${hint}`);
}

/** A megabyte of wrong names is not answered, and logged, with a megabyte of problems. */
const mostProblems = 10;

/** Characters. */
const longestProblem = 300;

function readInput(name: CallName, input: unknown): unknown {
  const schema: z.ZodType = calls[name].input;
  const read = schema.safeParse(input ?? {});
  if (read.success) return read.data;
  const problems = read.error.issues
    .slice(0, mostProblems)
    .map(({ path, message }) => `${path.join('.') || 'the input'}: ${message}`.slice(0, longestProblem));
  throw new Failure('valueNotAllowed', `${name} cannot be called so: ${problems.join('; ')}.`);
}

function operatorOnly(name: CallName): Failure {
  return new Failure('operatorOnly', `${name} is for accounts of operators; this one is none.`);
}
