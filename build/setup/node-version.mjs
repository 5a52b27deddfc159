/** Checks the minimum version of Node.js; imports nothing, so that any Node can parse it. */

/** Returns false, and prints a sentence and sets exit code 1, if this Node is too old. */
export function nodeIsNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 15)) return true;
  console.error(
    `Platen needs Node.js 20.15 or newer, but this is ${process.versions.node}: install a newer one (https://nodejs.org), then run the command again.`,
  );
  process.exitCode = 1;
  return false;
}
