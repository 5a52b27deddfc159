/** Absolute paths of the tools of Windows. A bare name would also be searched in the current folder and in PATH. */
import { win32 } from 'node:path';

export type WindowsTool = 'icacls' | 'powershell' | 'reg' | 'schtasks' | 'taskkill' | 'whoami';

export function windowsTool(
  name: WindowsTool,
  { SystemRoot = 'C:\\Windows' }: Readonly<NodeJS.ProcessEnv> = process.env,
): string {
  const folder = win32.join(SystemRoot, 'System32');
  return name === 'powershell'
    ? win32.join(folder, 'WindowsPowerShell', 'v1.0', 'powershell.exe')
    : win32.join(folder, `${name}.exe`);
}
