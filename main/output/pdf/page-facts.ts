/** Reads title, address and meta tags of a page, for headers, footers and the document information. */
import { inPage } from '../../engine/devtools/evaluate.ts';
import type { Page } from '../../engine/page.ts';

export interface PageFacts {
  readonly title: string;
  /** Empty for an uploaded document. */
  readonly url: string;
  /** The contents of meta tags by their lower-case names. */
  readonly metas: Readonly<Record<string, string>>;
}

export async function pageFacts({ window, source }: Page): Promise<PageFacts> {
  const facts = await inPage(window.contents, readFacts);
  return source.kind === 'remote' ? facts : { ...facts, url: '' };
}

function readFacts(): PageFacts {
  const metas = [...document.querySelectorAll('meta[name][content]')].map((meta) => [
    (meta.getAttribute('name') ?? '').toLowerCase(),
    meta.getAttribute('content') ?? '',
  ]);
  return {
    title: document.title,
    url: location.href,
    metas: Object.fromEntries(metas) as Record<string, string>,
  };
}
