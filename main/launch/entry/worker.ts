/**
 * Entry file of the subprocesses for archives and templates: runs the program beside it, such as archive-worker-program.cjs for
 * archive-worker.cjs, from V8's code cache. Compiling took longer than most tasks.
 */
import { runWithCodeCache } from '../code-cache.ts';

runWithCodeCache(import.meta.filename.replace(/\.cjs$/, '-program.cjs'));
