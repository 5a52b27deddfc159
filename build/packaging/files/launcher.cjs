/** Owns the start of the packaged command line, on the Electron beside it as plain Node. */

// It was for this process; the service it starts is to be an Electron.
delete process.env.ELECTRON_RUN_AS_NODE;
process.argv[1] = require.resolve('./.build/platen.cjs');
require('./.build/platen.cjs');
