/** Messages of the build scripts: a line for each step, and for a failure the reason and the remedy. */

/** A failure whose message contains the remedy. */
export class BuildProblem extends Error {}

/** Prints a line to standard error. @param {string} line */
export function print(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Returns the message for a failure, with a remedy.
 * @param {unknown} error @param {string} task What failed, as the subject of a sentence @returns {string}
 */
export function explain(error, task) {
  if (error instanceof BuildProblem) return error.message;
  const { code, path: place, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code === 'ENOSPC')
    return `The disk is full${where(place)}: free about 1 GB, then run the command again.`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `${task} has no permission to write${where(place)} (${code}): allow this user to write there, then run the command again.`;
  return `${task} failed (${String(message ?? error).split('\n')[0]}): run the command again; if that does not help, delete node_modules and .build first.`;
}

/**
 * Returns the relevant lines of a tool's output: up to five error lines of npm and apt, or else the last five lines.
 * @param {string} text
 */
export function relevantLines(text) {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() && !/EBADENGINE|^npm notice|A complete log/.test(line));
  const errors = lines.filter((line) => /^(npm error|E:) ?\S/.test(line));
  return (errors.length > 0 ? errors.slice(0, 5) : lines.slice(-5)).join('\n');
}

/** @param {string | undefined} place */
function where(place) {
  return place ? ` at ${place}` : '';
}
