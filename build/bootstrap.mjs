/** `node build/bootstrap.mjs [--dependencies-only] [--with-tests]`: sets up the project. */

import { nodeIsNewEnough } from './setup/node-version.mjs';

if (nodeIsNewEnough()) {
  // A dynamic import, so that an old Node.js prints the message instead of a syntax error.
  import('./setup/set-up.mjs').then(({ setUpOrExplain }) =>
    setUpOrExplain({
      dependenciesOnly: process.argv.includes('--dependencies-only'),
      withTests: process.argv.includes('--with-tests'),
    }),
  );
}
