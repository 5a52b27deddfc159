/** Entry file of the command `platen`: runs the command line (cli/) from V8's code cache. */
import { join } from 'node:path';
import { runWithCodeCache } from '../code-cache.ts';

const program = process.argv[2] === 'serve' ? 'serve-program.cjs' : 'platen-program.cjs';
runWithCodeCache(join(import.meta.dirname, program));
