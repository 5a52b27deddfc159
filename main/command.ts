/** The file of the command `platen`: it runs the command line (cli/), compiled already if it ran before. */
import { join } from 'node:path';
import { runKept } from './launch/kept-code.ts';

runKept(join(import.meta.dirname, 'platen-program.cjs'));
