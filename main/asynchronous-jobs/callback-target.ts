/** Checks the address of a callback against the network policy when a job is submitted. The delivery checks it again. */
import { Failure } from '../failure/failure.ts';
import { targetOfUrl } from '../network/host-name.ts';
import { admit, type AdmissionContext } from '../network/resolve-target.ts';

/** How long a submission waits for the resolver, which serves other requests of the account first. */
const maxResolvingMs = 10_000;

/**
 * Checks the address. A name that cannot be resolved now is accepted, because the callback is sent later.
 * @throws Failure addressRefused
 */
export async function checkCallbackTarget(url: URL, network: AdmissionContext): Promise<void> {
  const target = targetOfUrl(url);
  if (target === undefined) throw refused('its host is not a name or an address');
  const resolved = await admit(network, target, AbortSignal.timeout(maxResolvingMs));
  if (resolved.kind === 'refused') throw refused(resolved.refusal.why);
}

/** `why` appears only in the service log: in a response it would let callers scan ports. */
function refused(why: string): Failure {
  const message = 'The network policy does not allow the address of callback_url.';
  return new Failure('addressRefused', message, { cause: { why } });
}
