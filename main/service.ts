/** The file that Electron is started with: it runs the service (index.ts), compiled already if it ran before. */
import { join } from 'node:path';
import { runKept } from './launch/kept-code.ts';

runKept(join(import.meta.dirname, 'service-program.cjs'));
