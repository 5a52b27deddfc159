/** Reloads the TLS certificate when its files change, and logs a warning before it expires. */
import type { Server } from 'node:https';
import type { ServiceLog } from '../../log/service-log.ts';
import {
  certificateFileState,
  readCertificate,
  type Certificate,
  type CertificateFiles,
} from '../../preflight/certificate.ts';

const dayMs = 86_400_000;
const warnBeforeMs = 30 * dayMs;

interface RenewalOptions {
  readonly log: ServiceLog;
  /** Milliseconds between checks of the files. */
  readonly every?: number;
}

/**
 * Checks the files until the server closes. Polls their modification times, because network drives report no changes. If the new
 * certificate is unusable, the old one stays in use.
 */
export function watchCertificate(
  server: Server,
  certificate: Certificate,
  { log, every = 60_000 }: RenewalOptions,
): void {
  const { files } = certificate;
  const warn = expiryWarnings(log);
  let current = certificate;
  warn(current);
  // The state before the files were read: they may have been replaced while the service started.
  let lastState = certificate.fileState;
  let closed = false;
  const check = async () => {
    const state = await certificateFileState(files);
    if (state !== lastState) current = (await reload(server, files, log)) ?? current;
    lastState = state;
    // The server may have closed during the check.
    if (closed) return;
    warn(current);
    // Each check schedules the next, because a check of files on a network drive may take long.
    timer = setTimeout(() => void check(), every).unref();
  };
  let timer: NodeJS.Timeout | undefined;
  void check();
  server.once('close', () => {
    closed = true;
    clearTimeout(timer);
  });
}

async function reload(
  server: Server,
  files: CertificateFiles,
  log: ServiceLog,
): Promise<Certificate | undefined> {
  try {
    const certificate = await readCertificate(files);
    server.setSecureContext(certificate.options);
    log.info({ until: certificate.validUntil }, 'using the renewed certificate');
    return certificate;
  } catch (problem) {
    log.error({ err: problem }, 'the renewed certificate cannot be used; keeping the old one');
    return undefined;
  }
}

/** Returns a function that warns, at most once a day, about a certificate that expires within 30 days. */
function expiryWarnings(log: ServiceLog): (certificate: Certificate) => void {
  let lastMs = -Infinity;
  return ({ files, validUntil }) => {
    const now = Date.now();
    if (validUntil.getTime() - now > warnBeforeMs || now - lastMs < dayMs) return;
    lastMs = now;
    const hasExpired = validUntil.getTime() <= now;
    log.warn(
      { until: validUntil, file: files.cert },
      hasExpired ? 'the certificate has expired' : 'the certificate expires soon',
    );
  };
}
