/** Starts the packaged command line in Electron's Node mode. */

const path = require('node:path');

// Child processes must not inherit the variable: the service must run as Electron, not as Node.
delete process.env.ELECTRON_RUN_AS_NODE;
process.argv[1] = path.join(__dirname, '.build', 'platen.cjs');
require(process.argv[1]);
