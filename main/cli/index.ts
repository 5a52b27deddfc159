/** The command line: `platen <command> [flags]`. One file a command. Plain Node. */
import { NewerDatabase } from '../accounts/newer-database.ts';
import { SettingProblem } from '../settings/load.ts';
import { NewerDataFolder } from '../upgrade/upgrade.ts';
import { serve } from './serve.ts';
import { help } from './help.ts';
import { selfTest } from './self-test.ts';
import { UsageProblem } from './usage-problem.ts';

const commands: Readonly<Record<string, (flags: readonly string[]) => Promise<number>>> = {
  serve,
  'self-test': selfTest,
  convert: async (words) => (await import('./convert.ts')).convert(words),
  // Only who asks for it loads a database.
  account: async (words) => (await import('./account.ts')).account(words),
  service: async (words) => (await import('./service.ts')).service(words),
  config: async (words) => (await import('./config.ts')).config(words),
  help,
  '--help': help,
};

async function run(): Promise<number> {
  const [name = 'help', ...flags] = process.argv.slice(2);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    process.stderr.write(
      `platen: '${name}' is not a command; known are ${Object.keys(commands).slice(0, -1).join(', ')}.\n`,
    );
    return 2;
  }
  try {
    return await command(flags);
  } catch (problem) {
    process.stderr.write(`platen: ${problem instanceof Error ? problem.message : String(problem)}\n`);
    return codeOf(problem);
  }
}

/** Supervisors tell by it what another start would not mend (systemd-unit.ts). */
function codeOf(problem: unknown): number {
  if (problem instanceof SettingProblem || problem instanceof UsageProblem) return 2;
  return problem instanceof NewerDataFolder || problem instanceof NewerDatabase ? 3 : 1;
}

void run().then((code) => {
  process.exitCode = code;
});
