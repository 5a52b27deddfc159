/** Whether another program has a file open, where the system can tell: Windows lets whoever asks have a file for himself alone. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** UV_FS_O_EXLOCK of libuv (docs.libuv.org/en/v1.x/fs.html); Node hands it on and gives it no name. */
const exclusively = 0x10000000;

/** False on other systems, where a lock keeps nobody out: there a file that does not change has to do. */
export async function isBeingWritten(path: string): Promise<boolean> {
  if (process.platform !== 'win32') return false;
  try {
    await (await open(path, constants.O_RDONLY | exclusively)).close();
    return false;
  } catch (problem) {
    return ['EBUSY', 'EPERM', 'EACCES'].includes((problem as NodeJS.ErrnoException).code ?? '');
  }
}
