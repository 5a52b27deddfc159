/** What runs in a group of processes. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';

export interface GroupMember {
  readonly pid: number;
  /** Its program and arguments. */
  readonly command: string;
}

/** Those alive; one that has ended and was not yet waited for is not. */
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

/** Long enough for a machine that has much else to do. */
const patience = 60_000;

/** Resolves when nothing runs in it any more. @throws Error naming what still does after a minute */
export async function lastOfGroup(group: number): Promise<void> {
  const until = performance.now() + patience;
  for (let left = groupMembers(group); left.length > 0; left = groupMembers(group)) {
    if (performance.now() > until)
      throw new Error(`still there: ${left.map(({ command }) => command).join('; ')}`);
    await after(10);
  }
}

/** The first process of the group whose command line is so, once there is one. */
export async function memberOfGroup(group: number, command: RegExp): Promise<GroupMember> {
  for (;;) {
    const found = groupMembers(group).find((member) => command.test(member.command));
    if (found !== undefined) return found;
    await after(5);
  }
}
