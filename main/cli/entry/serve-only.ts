/** The command `platen serve` alone: a program that starts faster than the whole command line (all-commands.ts). */
import { runCommand } from './run-command.ts';
import { serve } from '../serve.ts';

void runCommand({ serve: (flags) => serve(flags) });
