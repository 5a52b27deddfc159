/** A certificate that is renewed in its files is used from then on, and one that ends soon is spoken of in the log. */
import { stat } from 'node:fs/promises';
import type { Server } from 'node:https';
import type { ServiceLog } from '../log/service-log.ts';
import { readCertificate, type Certificate, type CertificateFiles } from '../preflight/certificate.ts';

const day = 86_400_000;
const early = 30 * day;

interface Renewal {
  readonly log: ServiceLog;
  /** Milliseconds between looks at the files. */
  readonly every?: number;
}

/**
 * Looks at the files until the server is closed. By their times: changes on network drives are told to nobody. A new
 * certificate that cannot be used leaves the old one in place.
 */
export function keepCertificateFresh(
  server: Server,
  certificate: Certificate,
  { log, every = 60_000 }: Renewal,
): void {
  const { files } = certificate;
  const warn = warnings(log);
  let current = certificate;
  warn(current);
  let seen: string | undefined;
  let closed = false;
  const look = async () => {
    const marks = await marksOf(files);
    if (seen !== undefined && marks !== seen) current = (await renewed(server, files, log)) ?? current;
    seen = marks;
    // While the files were looked at.
    if (closed) return;
    warn(current);
    // Only then: a network drive may not answer for long.
    timer = setTimeout(() => void look(), every).unref();
  };
  let timer: NodeJS.Timeout | undefined;
  void look();
  server.once('close', () => {
    closed = true;
    clearTimeout(timer);
  });
}

/** Changes whenever one of the files does. */
async function marksOf({ cert, key }: CertificateFiles): Promise<string> {
  const marks = [cert, key ?? cert].map(async (file) => {
    const { mtimeMs, size, ino } = await stat(file).catch(() => ({ mtimeMs: 0, size: 0, ino: 0 }));
    return `${mtimeMs} ${size} ${ino}`;
  });
  return (await Promise.all(marks)).join();
}

async function renewed(
  server: Server,
  files: CertificateFiles,
  log: ServiceLog,
): Promise<Certificate | undefined> {
  try {
    const certificate = await readCertificate(files);
    server.setSecureContext(certificate.options);
    log.info({ until: certificate.until }, 'the new certificate is used from now on');
    return certificate;
  } catch (problem) {
    log.error({ err: problem }, 'the new certificate cannot be used; the old one stays');
    return undefined;
  }
}

/** Speaks once a day, and only of what ends within 30 days. */
function warnings(log: ServiceLog): (certificate: Certificate) => void {
  let last = -Infinity;
  return ({ files, until }) => {
    const now = Date.now();
    if (until.getTime() - now > early || now - last < day) return;
    last = now;
    const ended = until.getTime() <= now;
    log.warn({ until, file: files.cert }, ended ? 'the certificate has ended' : 'the certificate ends soon');
  };
}
