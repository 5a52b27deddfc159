/** Entry file for Electron: runs the service (index.ts) from V8's code cache. */
import { join } from 'node:path';
import { runWithCodeCache } from '../code-cache.ts';

runWithCodeCache(join(import.meta.dirname, 'service-program.cjs'));
