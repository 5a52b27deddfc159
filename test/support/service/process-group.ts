/** Lists the processes of a process group. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';

export interface GroupMember {
  readonly pid: number;
  /** The command line. */
  readonly command: string;
}

/** Returns the processes of the group, without zombies. */
export function groupMembers(group: number): readonly GroupMember[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (Number(itsGroup) !== group || state === 'Z') return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), command }];
      } catch {
        return [];
      }
    });
}

/** Long enough for a busy machine. */
const timeoutMs = 60_000;

/** Resolves when the group has no processes. @throws Error with the remaining command lines after a minute */
export async function waitForEmptyGroup(group: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  for (let left = groupMembers(group); left.length > 0; left = groupMembers(group)) {
    if (performance.now() > until)
      throw new Error(`still running: ${left.map(({ command }) => command).join('; ')}`);
    await after(10);
  }
}

/** Resolves with the first process of the group whose command line matches. */
export async function waitForGroupMember(group: number, command: RegExp): Promise<GroupMember> {
  for (;;) {
    const found = groupMembers(group).find((member) => command.test(member.command));
    if (found !== undefined) return found;
    await after(5);
  }
}
