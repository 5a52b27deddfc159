/** `default_encoding` for a page at an address: said in the answer's Content-Type when neither it nor the page says one. */
import { withDefaultCharset } from '../../input/charset.ts';
import type { Loading } from '../loading.ts';

export async function assumeEncoding({ window, source, run }: Loading): Promise<void> {
  const { default_encoding } = run.job.options;
  const wanted = source.kind === 'remote' ? default_encoding : undefined;
  if (wanted === window.emulated.encoding) return;
  window.emulated = { ...window.emulated, encoding: wanted };
  await window.cdp.rewriteDocuments(
    wanted === undefined ? undefined : (contentType, bytes) => withDefaultCharset(contentType, bytes, wanted),
  );
}
