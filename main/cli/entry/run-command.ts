/** Runs the command that the arguments name, and sets the exit code of the process. Runs in plain Node, not in Electron. */
import { NewerDatabase } from '../../accounts/store/newer-database.ts';
import { messageOf } from '../../failure/failure.ts';
import { SettingProblem } from '../../settings/load.ts';
import { NewerDataFolder } from '../../upgrade/upgrade.ts';
import { UsageProblem } from '../terminal.ts';

/** Commands by name. Each gets its arguments and resolves with the exit code. */
type Commands = Readonly<Record<string, (parameters: readonly string[]) => Promise<number>>>;

/** Never rejects: a command that throws is reported in one line on standard error. */
export async function runCommand(commands: Commands): Promise<void> {
  process.exitCode = await exitCodeOf(commands);
}

async function exitCodeOf(commands: Commands): Promise<number> {
  const [name = 'help', ...flags] = process.argv.slice(2);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    process.stderr.write(
      `platen: '${name}' is not a command; use one of: ${Object.keys(commands).slice(0, -1).join(', ')}.\n`,
    );
    return 2;
  }
  try {
    return await command(flags);
  } catch (problem) {
    process.stderr.write(`platen: ${messageOf(problem)}\n`);
    return exitCodeFor(problem);
  }
}

/**
 * Returns the exit code. After 2 and 3, systemd does not restart the service, because a restart would not help
 * (service/systemd.ts).
 */
function exitCodeFor(problem: unknown): number {
  if (problem instanceof SettingProblem || problem instanceof UsageProblem) return 2;
  return problem instanceof NewerDataFolder || problem instanceof NewerDatabase ? 3 : 1;
}
