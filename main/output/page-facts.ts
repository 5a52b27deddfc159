/** What a page says about itself, for headers, footers and the document information. */
import { inPage } from '../engine/in-page.ts';
import type { Page } from '../engine/page.ts';

export interface PageFacts {
  readonly title: string;
  /** Empty for a document that was sent. */
  readonly url: string;
  /** The contents of meta tags, by their names in lower case. */
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
