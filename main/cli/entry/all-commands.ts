/** The command line: `platen <command> [flags]`. Each command has its own file. */
import { desktop } from '../desktop.ts';
import { serve } from '../serve.ts';
import { help } from '../help.ts';
import { runCommand } from './run-command.ts';
import { selfTest } from '../self-test.ts';

void runCommand({
  serve: (flags) => serve(flags),
  desktop,
  'self-test': selfTest,
  convert: async (words) => (await import('../convert.ts')).convert(words),
  // Imported on demand, because it loads the database library.
  account: async (words) => (await import('../account.ts')).account(words),
  node: async (words) => (await import('../database/node.ts')).node(words),
  upgrade: async (words) => (await import('../database/upgrade.ts')).upgrade(words),
  service: async (words) => (await import('../service.ts')).service(words),
  config: async (words) => (await import('../config.ts')).config(words),
  rehearse: async (words) => (await import('../rehearse.ts')).rehearse(words),
  verify: async (words) => (await import('../verify.ts')).verify(words),
  help,
  '--help': help,
});
