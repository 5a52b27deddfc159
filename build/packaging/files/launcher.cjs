/** Owns the start of the packaged command line, on the Electron beside it as plain Node. */

const path = require('node:path');

// It was for this process; the service it starts is to be an Electron.
delete process.env.ELECTRON_RUN_AS_NODE;
process.argv[1] = path.join(__dirname, '.build', 'platen.cjs');
require(process.argv[1]);
