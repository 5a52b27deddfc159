/** The plan of a service, made from command-line arguments and the installed service. The functions have no side effects. */
import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import type { ParsedArguments } from '../../fields/arguments.ts';
import { UsageProblem } from '../terminal.ts';

/** `system`: a service of the machine, which starts at boot. `user`: a service of one user, which starts at login. */
export type ServiceScope = 'system' | 'user';

export interface ServiceId {
  readonly name: string;
  readonly scope: ServiceScope;
}

/** The part of a plan that is kept when the service is updated. */
export interface StoredPlan extends ServiceId {
  /** Absolute path. */
  readonly data: string;
  /** Name of the system user that runs the service. */
  readonly as: string;
  /** Absolute paths of folders that the service may write to, in addition to the data folder. */
  readonly writable: readonly string[];
  /** The URL at the time of the installation, for the desktop client of users who cannot read the settings; absent for port 0. */
  readonly url?: string | undefined;
}

export interface ServicePlan extends StoredPlan {
  /** The command line that runs `platen`, without arguments. The first word is an absolute path. */
  readonly program: readonly string[];
  /** Absolute paths of files that the service must be able to read. */
  readonly readPaths: readonly string[];
  /** Whether the service listens on a port below 1024, which usually requires root. */
  readonly hasPrivilegedPort: boolean;
}

/** @throws UsageProblem for an invalid name */
export function readServiceId({ flags }: ParsedArguments): ServiceId {
  const name = flags.get('name') ?? 'platen';
  if (!/^[a-z][a-z0-9_-]{0,31}$/.test(name))
    throw new UsageProblem(
      `--name: '${name}' is not allowed; allowed: up to 32 lower-case letters, digits, - and _, starting with a letter.`,
    );
  return { name, scope: flags.has('user') ? 'user' : 'system' };
}

interface PlanSources {
  readonly id: ServiceId;
  /** The plan of the installed service with that name; undefined if there is none. */
  readonly stored: StoredPlan | undefined;
  /** Values used where neither the arguments nor the installed service define one. */
  readonly defaults: Pick<StoredPlan, 'as' | 'data'>;
}

/** Returns the plan. Arguments override the installed plan, which overrides the defaults. @throws UsageProblem */
export function planOf({ flags }: ParsedArguments, { id, stored, defaults }: PlanSources): StoredPlan {
  if (id.scope === 'user' && flags.has('as'))
    throw new UsageProblem('--as and --user cannot be combined: a user service runs as that user.');
  const data = flags.get('data');
  const writable = flags.get('writable');
  const plan = {
    ...id,
    data: data === undefined ? (stored?.data ?? defaults.data) : resolve(data),
    as: flags.get('as') ?? stored?.as ?? defaults.as,
    writable: writable === undefined ? (stored?.writable ?? []) : foldersIn(writable),
  };
  for (const text of [plan.data, plan.as, ...plan.writable]) rejectControlCharacters(text);
  return plan;
}

function foldersIn(text: string): string[] {
  const folders = text
    .split(',')
    .map((folder) => folder.trim())
    .filter((folder) => folder !== '');
  const relativePath = folders.find((folder) => !isAbsolute(folder));
  if (relativePath !== undefined)
    throw new UsageProblem(`--writable: '${relativePath}' is not an absolute path.`);
  return folders;
}

/** Rejects control characters: a line feed would start a new line in a systemd unit. */
function rejectControlCharacters(text: string): void {
  if (/\p{Cc}/u.test(text))
    throw new UsageProblem(
      `${JSON.stringify(text)} contains a control character, which service files do not allow.`,
    );
}

// The plan is stored as a note in the service definition: in a comment of a systemd unit or property list, or in the
// documentation of a task. An update reads the plan from there, even if the definition was edited.

export const notePrefix = 'platen-service';

const noteSchema = z.object({
  name: z.string(),
  scope: z.enum(['system', 'user']),
  data: z.string(),
  as: z.string(),
  writable: z.array(z.string()),
  url: z.url().optional(),
});

/**
 * Returns the note: one line of printable ASCII that needs no escaping in XML and does not contain `--`, which would end an XML
 * comment.
 */
export function planNote({ name, scope, data, as, writable, url }: StoredPlan): string {
  const json = JSON.stringify({ name, scope, data, as, writable, url });
  return `${notePrefix} ${json.replace(/[^\x20-\x7e]|[&<>]|-(?=-)/g, escapeCharacter)}`;
}

/** Returns the plan in a definition; undefined if there is no valid note. */
export function planInNote(definition: string): StoredPlan | undefined {
  // eslint-disable-next-line platen/linear-pattern -- Reads a definition that this program wrote.
  const json = new RegExp(`${notePrefix} (\\{.*\\})`).exec(definition)?.[1];
  try {
    return noteSchema.parse(JSON.parse(json ?? ''));
  } catch {
    return undefined;
  }
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
