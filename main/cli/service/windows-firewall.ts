/** Rules of Windows' firewall that let other machines connect to Platen. */
import { win32 } from 'node:path';
import { runProgram, windowsTool } from '../../launch/run-program.ts';
import { runOrThrow } from './command.ts';

/**
 * Lets other machines of domain and private networks connect to the program. The rule names the program and not a port, so it also
 * holds after the port of the service has changed. @throws Error with a one-sentence message
 */
export async function allowConnections(name: string, program: string, run = runProgram): Promise<void> {
  await removeFirewallRule(name, run);
  // platen.cmd starts bin\..\Platen.exe.
  const path = win32.normalize(program);
  const rule = [`name=${name}`, 'dir=in', 'action=allow', `program=${path}`, 'protocol=TCP'];
  await runOrThrow([...advfirewall('add'), ...rule, 'profile=domain,private'], { run });
}

/** Removes a rule. Does nothing if there is none, which netsh reports as a failure. */
export async function removeFirewallRule(name: string, run = runProgram): Promise<void> {
  await run([...advfirewall('delete'), `name=${name}`]);
}

/** Removes all rules of an installation, including those that Windows has created after asking the user. */
export async function removeFirewallRules(installation: string, run = runProgram): Promise<void> {
  await run([...advfirewall('delete'), 'name=all', `program=${win32.join(installation, 'Platen.exe')}`]);
}

function advfirewall(action: 'add' | 'delete'): string[] {
  return [windowsTool('netsh'), 'advfirewall', 'firewall', action, 'rule'];
}
