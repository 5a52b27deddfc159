/** Whether certificate and key fit, and how long the certificate is good for. */
import { openCertificate } from '../../../preflight/certificate.ts';
import type { ConfigCheck } from '../check-of.ts';

const day = 86_400_000;

export const certificate: ConfigCheck = {
  name: 'certificate',
  async run({ settings }) {
    const opened = await openCertificate(settings);
    if (opened === undefined) return undefined;
    const until = opened.until.toISOString().slice(0, 10);
    const days = Math.floor((opened.until.getTime() - Date.now()) / day);
    const file = opened.files.cert;
    if (days < 0) return { warning: `${file} has ended on ${until}, so callers refuse it; renew it.` };
    if (days < 30) return { warning: `${file} ends on ${until}, in ${days} days; renew it.` };
    return `${file} and its key fit; it is good until ${until}.`;
  },
};
