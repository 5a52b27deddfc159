/** Checks the minimum version of Node.js. Imports nothing, so that any version of Node.js can run it. */

/** Returns whether this Node.js is new enough; otherwise also prints a message and sets exit code 1. */
export function nodeIsNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 15)) return true;
  console.error(
    `Platen needs Node.js 20.15 or newer, but this is ${process.versions.node}: install a newer version (https://nodejs.org), then run the command again.`,
  );
  process.exitCode = 1;
  return false;
}
