/** Starts the packaged command line in Electron's Node mode. */

const path = require('node:path');

// The variable is for this process only; the service that it starts must be an Electron.
delete process.env.ELECTRON_RUN_AS_NODE;
process.argv[1] = path.join(__dirname, '.build', 'platen.cjs');
require(process.argv[1]);
