/** Why a job ended that nobody waits for any more. */

/** Nobody reads the answer: its sentence is for the logs. */
export class CallerGone extends Error {
  constructor(sentence = 'The caller hung up.') {
    super(sentence);
  }
}
