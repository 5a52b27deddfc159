/** Entry file for Electron: runs the service (index.ts) from V8's code cache. */
import { join } from 'node:path';
import { runCached } from '../code-cache.ts';

runCached(join(import.meta.dirname, 'service-program.cjs'));
