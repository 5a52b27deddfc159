/** Packs a page of the corpus and its resources into an archive, as users without a web server do. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zip } from '../support/archives/zip-writer.ts';
import { corpus } from './libraries.ts';

/** Matches root-relative URLs in attributes, calls to fetch, and imports of modules. */
const addresses = /["'`(](\/(?:lib|data|fragments)\/[^"'`()\s]+)["'`)]/g;

/** Returns a zip file. @throws Error if a file that the page loads does not exist */
export function archiveOf(page: string): Promise<Buffer<ArrayBuffer>> {
  const html = readFileSync(join(corpus, 'pages', `${page}.html`), 'utf8');
  const loaded = new Set([...html.matchAll(addresses)].map(([, address = '']) => address));
  const items = [...loaded].map((address) => {
    const path = join(corpus, address.replace(/^\/lib\//, '/node_modules/'));
    if (!existsSync(path)) throw new Error(`${page} loads ${address}, but ${path} does not exist`);
    return { name: address.slice(1), contents: readFileSync(path) };
  });
  return Promise.resolve(Buffer.from(zip([{ name: 'index.html', contents: html }, ...items])));
}
