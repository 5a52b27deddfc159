/** The network access of one job: request rules, proxies, client certificate. */
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { Failure } from '../../failure/failure.ts';
import type { Job } from '../../job/job.ts';
import type { JobNetwork } from '../../network/proxy.ts';
import { requestRules, type RequestRules } from './request-rules.ts';

export interface NetworkAccess {
  readonly rules: RequestRules;
  /** Undefined if the job sets no proxy and no client certificate. */
  readonly network: JobNetwork | undefined;
}

/**
 * Returns the network access that the job's options set.
 * @throws Failure valueNotAllowed for a client certificate that cannot be used
 */
export async function accessFor(job: Job): Promise<NetworkAccess> {
  return { rules: requestRules(job), network: await networkFor(job) };
}

async function networkFor(job: Job): Promise<JobNetwork | undefined> {
  const { http_proxy: http, https_proxy: https } = job.options;
  const identity = await identityOf(job);
  if ((http ?? https ?? identity) === undefined) return undefined;
  return { proxies: { ...(http && { http }), ...(https && { https }) }, ...(identity && { identity }) };
}

async function identityOf({ input, options }: Job): Promise<JobNetwork['identity']> {
  const {
    client_certificate,
    client_certificate_password: passphrase = '',
    verify_ssl_certificates,
  } = options;
  if (client_certificate === undefined || input.kind !== 'url') return undefined;
  const pfx = await readFile(client_certificate.path);
  try {
    createSecureContext({ pfx, passphrase });
  } catch (cause) {
    throw new Failure(
      'valueNotAllowed',
      'client_certificate is not a PKCS #12 certificate with a private key, or client_certificate_password is wrong.',
      { cause },
    );
  }
  return {
    hostname: input.url.hostname,
    pfx,
    passphrase,
    acceptsInvalidCertificate: !verify_ssl_certificates,
  };
}
