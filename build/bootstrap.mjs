/** Owns the command that sets the project up: `node build/bootstrap.mjs [--dependencies-only] [--with-tests]`. */

import { nodeIsNewEnough } from './setup/node-version.mjs';

if (nodeIsNewEnough()) {
  // Imported only now, so that an old Node reads a sentence and not a syntax error.
  import('./setup/set-up.mjs').then(({ setUpOrExplain }) =>
    setUpOrExplain({
      dependenciesOnly: process.argv.includes('--dependencies-only'),
      withTests: process.argv.includes('--with-tests'),
    }),
  );
}
