/** Recognises messages in which a worker reports progress, so that its result is still to come. Part of the page script `settling`. */

/** Properties in which libraries name the kind of a message, such as `{ status: 'progress' }` of Tesseract.js. */
const kindProperties = ['type', 'status', 'event', 'kind', 'state', 'action', 'cmd', 'name'] as const;
const progressKind =
  /progress|^(loading|working|running|pending|processing|start(ed|ing)|initiali[sz]ing)\b/i;

/** Properties with the share of the work that is done, as a fraction or in percent. */
const shareProperties = ['progress', 'percent'] as const;
const unfinishedPercentage = /(^|\D)\d{1,2}(\.\d+)? ?%/;

/** Returns whether a message reports unfinished work. */
export function reportsProgress(message: unknown): boolean {
  if (typeof message === 'string') return progressKind.test(message) || unfinishedPercentage.test(message);
  if (typeof message !== 'object' || message === null) return false;
  const properties = message as Readonly<Record<string, unknown>>;
  return (
    kindProperties.some((name) => isProgressKind(properties[name])) ||
    shareProperties.some((name) => isUnfinishedShare(properties[name]))
  );
}

function isProgressKind(value: unknown): boolean {
  return typeof value === 'string' && progressKind.test(value);
}

/** Returns false for 1, which may be a complete fraction. */
function isUnfinishedShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value < 100 && value !== 1;
}
