/** `endless-child-program.ts <file>`: writes its process id to the file and runs an endless loop, as a hostile template does. */
import { writeFileSync } from 'node:fs';
import { endWithParent } from '../../main/subprocess/handle-task.ts';

endWithParent();
writeFileSync(process.argv[2] ?? '', String(process.pid));
for (;;);
