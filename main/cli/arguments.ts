/** Parses the arguments of a command, and finds the action they name. An invalid argument ends the command. */
import {
  readArguments,
  type FlagKinds,
  type ParsedArguments,
  type ParseOptions,
} from '../fields/arguments.ts';
import { nearestName } from '../fields/nearest.ts';
import { UsageProblem } from './terminal.ts';

/** Like `readArguments`. @throws UsageProblem for the first unknown flag, missing value, or value for a switch */
export function parseArguments(
  parameters: readonly string[],
  kinds: FlagKinds,
  options: ParseOptions = {},
): ParsedArguments {
  return readArguments(parameters, kinds, {
    ...options,
    onProblem(message) {
      throw new UsageProblem(message);
    },
  });
}

/** Returns the action of a command that has several, such as `platen account list`. @throws UsageProblem that lists the actions */
export function findAction<Action>(
  command: string,
  actions: Readonly<Record<string, Action>>,
  name: string | undefined,
): Action {
  const names = Object.keys(actions);
  if (name === undefined)
    throw new UsageProblem(`${command}: missing command; use one of: ${names.join(', ')}.`);
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action !== undefined) return action;
  const suggestion = nearestName(name, names);
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  throw new UsageProblem(
    `'${command} ${name}' is not a command${hint} (known commands: ${names.join(', ')})`,
  );
}
