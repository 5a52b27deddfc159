/** The network access of one job: request rules, proxies, client certificate. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../failure/failure.ts';
import type { Run } from '../../job/job.ts';
import type { JobNetwork } from '../../network/proxy.ts';
import { runInSubprocess } from '../../subprocess/run-in-subprocess.ts';
import type { CertificateAnswer } from './certificate-program.ts';
import type { JobQueue } from '../queue/job-queue.ts';
import { requestRules, type RequestRules } from './request-rules.ts';

export interface NetworkAccess {
  readonly rules: RequestRules;
  readonly network: JobNetwork;
}

/**
 * Returns the network access that the job's options set. `certificateQueue` limits the subprocesses that open client certificates.
 * @throws Failure valueNotAllowed for a client certificate that cannot be used; those of JobQueue.enter; the signal's reason
 */
export async function accessFor(run: Run, certificateQueue: JobQueue): Promise<NetworkAccess> {
  return { rules: requestRules(run.job), network: await networkFor(run, certificateQueue) };
}

async function networkFor(run: Run, certificateQueue: JobQueue): Promise<JobNetwork> {
  const { job } = run;
  const { http_proxy: http, https_proxy: https } = job.options;
  const identity = await identityOf(run, certificateQueue);
  return {
    account: job.account,
    proxies: { ...(http && { http }), ...(https && { https }) },
    ...(identity && { identity }),
  };
}

/** A certificate with its key and a long chain has less than 20 kB. */
const maxCertificateBytes = 1_000_000;

async function identityOf({ job, signal }: Run, certificateQueue: JobQueue): Promise<JobNetwork['identity']> {
  const { account, input, options } = job;
  const {
    client_certificate,
    client_certificate_password: passphrase = '',
    verify_ssl_certificates,
  } = options;
  if (client_certificate === undefined || input.kind !== 'url') return undefined;
  if (client_certificate.size > maxCertificateBytes)
    throw new Failure(
      'valueNotAllowed',
      `client_certificate has ${client_certificate.size} bytes; the limit of a certificate is ${maxCertificateBytes / 1e6} MB.`,
    );
  const pfx = await readFile(client_certificate.path);
  await certificateQueue.run(account, signal, () => checkCertificate(pfx, passphrase, signal));
  return {
    hostname: input.url.hostname,
    pfx,
    passphrase,
    acceptsInvalidCertificate: !verify_ssl_certificates,
  };
}

/** Maximum processor time of opening a certificate. The main thread opens it again. Usual files take a few milliseconds. */
const maxOpeningMs = 150;
const checkTimeoutMs = 5000;

/** @throws Failure valueNotAllowed if the certificate cannot be opened, or only slowly; the signal's reason */
async function checkCertificate(pfx: Buffer, passphrase: string, signal: AbortSignal): Promise<void> {
  const { json } = await runInSubprocess(
    {
      program: join(import.meta.dirname, 'certificate-program.cjs'),
      heapBytes: 64_000_000,
      timeoutMs: checkTimeoutMs,
      createTimeoutError: tooSlow,
      json: { passphrase },
      bytes: pfx,
    },
    signal,
  );
  const { problem, cpuMs } = json as CertificateAnswer;
  if (problem !== undefined)
    throw new Failure(
      'valueNotAllowed',
      'client_certificate is not a PKCS #12 certificate with a private key, or client_certificate_password is wrong.',
      { cause: problem },
    );
  if (cpuMs > maxOpeningMs) throw tooSlow();
}

function tooSlow(): Failure {
  return new Failure(
    'valueNotAllowed',
    'client_certificate takes too long to open; export it again with at most 100,000 iterations.',
  );
}
