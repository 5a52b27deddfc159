/** Entry file of the command `platen`: runs the command line (cli/) from V8's code cache. */
import { join } from 'node:path';
import { runWithCodeCache } from '../code-cache.ts';

runWithCodeCache(join(import.meta.dirname, 'platen-program.cjs'));
