/** A form as it came, from whatever door. */
import type { Form } from '../job/read-fields.ts';

/**
 * The form as far as it was read, and why it is not all: Failure bodyFormat, uploadTooLarge, requestTimeout, valueNotAllowed,
 * unavailable.
 */
export interface Received {
  readonly form: Form;
  readonly problem?: Error;
}
