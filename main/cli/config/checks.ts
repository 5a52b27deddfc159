/** The list of what `platen config check` looks at, in the order in which a start comes to it. */
import type { ConfigCheck } from './check-of.ts';
import { address } from './checks/address.ts';
import { certificate } from './checks/certificate.ts';
import { dataFolder } from './checks/data-folder.ts';
import { database } from './checks/database.ts';
import { display } from './checks/display.ts';
import { fonts } from './checks/fonts.ts';
import { logFile } from './checks/log-file.ts';
import { format } from './checks/format.ts';
import { runtime } from './checks/runtime.ts';
import { sandbox } from './checks/sandbox.ts';
import { upstreamProxy } from './checks/upstream-proxy.ts';

export const configChecks: readonly ConfigCheck[] = [
  ...[dataFolder, format, database, logFile, certificate, address, upstreamProxy],
  ...[runtime, display, sandbox, fonts],
];
