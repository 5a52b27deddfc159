/**
 * The subprocess that opens a PKCS #12 file and measures the processor time. The file names the number of iterations of its key
 * derivation, so opening it may take minutes.
 */
import { createSecureContext } from 'node:tls';
import { handleTask } from '../../subprocess/handle-task.ts';

export interface CertificateAnswer {
  /** Why the file cannot be used; absent if it can be used. */
  readonly problem?: string;
  /** Processor time of opening the file, in milliseconds. */
  readonly cpuMs: number;
}

handleTask(({ json, bytes }) => {
  const { passphrase } = json as { readonly passphrase: string };
  const began = process.cpuUsage();
  let problem: string | undefined;
  try {
    createSecureContext({ pfx: Buffer.from(bytes), passphrase });
  } catch (error) {
    problem = String(error);
  }
  const { user, system } = process.cpuUsage(began);
  const answer: CertificateAnswer = {
    cpuMs: (user + system) / 1000,
    ...(problem !== undefined && { problem }),
  };
  return { json: answer, bytes: new Uint8Array() };
});
