/** Parses the arguments of a command. An invalid argument ends the command. */
import {
  readArguments,
  type FlagKinds,
  type ParsedArguments,
  type ParseOptions,
} from '../fields/arguments.ts';
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
