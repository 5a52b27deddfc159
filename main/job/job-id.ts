/** Names jobs. */
import { randomBytes } from 'node:crypto';

/** 26 lower-case letters and digits: 10 of time (base 36, milliseconds; so ids sort), 16 of chance. */
export function newJobId(now = Date.now()): string {
  return `${now.toString(36).padStart(10, '0')}${randomBytes(8).toString('hex')}`;
}
