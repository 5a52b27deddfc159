/** Headers as a log may show them. */
import { mask } from '../../fields/masked.ts';
import type { Header } from '../../log/events.ts';
import { withoutCredentials } from '../../log/masking.ts';
import { withShownAddresses } from '../shown-address.ts';

/** As the protocol has them: several of one name stand in one value, a line each. */
export type RawHeaders = Readonly<Record<string, string>>;

/** Names of headers that hold credentials more often than not. */
const secretName =
  /auth(?!ority)|cookie|token|secret|passw|credential|api-?key|access-?key|session|^proxy-(?!connection)/i;

const longest = 1000;

/** `secret` is the name of the header that the job itself sends. */
export function shownHeaders(headers: RawHeaders, secret: string | undefined): Header[] {
  const own = secret?.toLowerCase();
  return Object.entries(headers).flatMap(([name, whole]) => {
    const hidden = secretName.test(name) || name.toLowerCase() === own;
    return whole.split('\n').map((value) => ({ name, value: hidden ? mask : shownValue(value) }));
  });
}

/** A Location or a Referer is an address. */
function shownValue(value: string): string {
  return withoutCredentials(withShownAddresses(value.slice(0, longest)));
}
