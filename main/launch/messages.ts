/** What launcher and service say to each other, over Node's channel and in the environment of a new start. */

/** From the launcher: end when the running jobs are done; or a question that a service which does not hang answers at once. */
export type Order = 'stop' | 'are you well?';

/** From the service: the answer; once the address it listens on; and that an operator wants it to be ended and started anew. */
export type Report = 'well' | 'restart' | { readonly listening: string };

/** Environment of a service: how often it was started anew, and what had happened to the one before. */
export const restartsVariable = 'PLATEN_RESTARTS';
export const restartedAfterVariable = 'PLATEN_RESTARTED_AFTER';

/** Environment of a service that is only to test itself: `table` or `json`, by which it prints what it has found. */
export const selfTestVariable = 'PLATEN_SELF_TEST';
/** Environment of a run that listens nowhere and converts what its launcher gives it (batch-messages.ts): `on`. */
export const convertVariable = 'PLATEN_CONVERT';
/** And the port the one before had, which callers know: it is taken again where the setting says any free one. */
export const keptPortVariable = 'PLATEN_KEPT_PORT';
/** Environment of a service: `on` when it has a display that somebody looks at. */
export const desktopVariable = 'PLATEN_DESKTOP';

/** Environment of a service: the command that has started its launcher, as JSON, a list of words. */
export const commandVariable = 'PLATEN_COMMAND';

/** The address in a message, or undefined when it is another one. */
export function listeningIn(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('listening' in message)) return undefined;
  return String(message.listening);
}
