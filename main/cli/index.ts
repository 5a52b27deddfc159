/** The command line: `platen <command> [flags]`. Each command has its own file. Runs in plain Node, not in Electron. */
import { NewerDatabase } from '../accounts/store/newer-database.ts';
import { SettingProblem } from '../settings/load.ts';
import { NewerDataFolder } from '../upgrade/upgrade.ts';
import { desktop } from './desktop.ts';
import { serve } from './serve.ts';
import { help } from './help.ts';
import { selfTest } from './self-test.ts';
import { UsageProblem } from './terminal.ts';
import { messageOf } from '../failure/failure.ts';

const commands: Readonly<Record<string, (flags: readonly string[]) => Promise<number>>> = {
  serve: (flags) => serve(flags),
  desktop,
  'self-test': selfTest,
  convert: async (words) => (await import('./convert.ts')).convert(words),
  // Imported on demand, because it loads the database library.
  account: async (words) => (await import('./account.ts')).account(words),
  node: async (words) => (await import('./database/node.ts')).node(words),
  upgrade: async (words) => (await import('./database/upgrade.ts')).upgrade(words),
  service: async (words) => (await import('./service.ts')).service(words),
  config: async (words) => (await import('./config.ts')).config(words),
  rehearse: async (words) => (await import('./rehearse.ts')).rehearse(words),
  verify: async (words) => (await import('./verify.ts')).verify(words),
  help,
  '--help': help,
};

async function run(): Promise<number> {
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

void run().then((code) => {
  process.exitCode = code;
});
