/** The set-up command of the project: `node build/bootstrap.mjs [--dependencies-only] [--with-tests]`. */

import { nodeIsNewEnough } from './setup/node-version.mjs';

if (nodeIsNewEnough()) {
  // A dynamic import, so that an old Node prints a sentence instead of a syntax error.
  import('./setup/set-up.mjs').then(({ setUpOrExplain }) =>
    setUpOrExplain({
      dependenciesOnly: process.argv.includes('--dependencies-only'),
      withTests: process.argv.includes('--with-tests'),
    }),
  );
}
