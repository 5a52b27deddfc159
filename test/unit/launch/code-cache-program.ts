/** `code-cache-program.ts <file>`: runs a compiled program with its code cache. */
import { runWithCodeCache } from '../../../main/launch/code-cache.ts';

runWithCodeCache(process.argv[2] ?? '');
