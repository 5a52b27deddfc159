/** `default_encoding` for a page at an address: said in the answer's Content-Type when neither it nor the page says one. */
import { withDefaultCharset } from '../../input/charset.ts';
import type { Loading, Work } from '../loading.ts';

export function assumeEncoding({ window, source, run }: Loading): Work | undefined {
  const { default_encoding } = run.job.options;
  const wanted = source.kind === 'remote' ? default_encoding : undefined;
  if (wanted === window.emulated.encoding) return undefined;
  return async () => {
    window.emulated = { ...window.emulated, encoding: wanted };
    await window.cdp.rewriteDocuments(
      wanted === undefined
        ? undefined
        : (contentType, bytes) => withDefaultCharset(contentType, bytes, wanted),
    );
  };
}
