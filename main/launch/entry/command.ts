/** Entry file of the command `platen`: runs the command line (cli/) from V8's code cache. */
import { join } from 'node:path';
import { runCached } from '../code-cache.ts';

runCached(join(import.meta.dirname, 'platen-program.cjs'));
