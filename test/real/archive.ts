/** A page of the corpus in an archive with its resources, as users send reports without a web server. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zip } from '../support/zip-writer.ts';
import { corpus } from './libraries.ts';

/** Root-relative URLs in attributes, calls of fetch, and modules. */
const addresses = /["'`(](\/(?:lib|data|fragments)\/[^"'`()\s]+)["'`)]/g;

/** @throws Error when the page loads a missing file */
export function archiveOf(page: string): Promise<Buffer<ArrayBuffer>> {
  const html = readFileSync(join(corpus, 'pages', `${page}.html`), 'utf8');
  const loaded = new Set([...html.matchAll(addresses)].map(([, address = '']) => address));
  const items = [...loaded].map((address) => {
    const path = join(corpus, address.replace(/^\/lib\//, '/node_modules/'));
    if (!existsSync(path)) throw new Error(`${page}: ${address} is not a file`);
    return { name: address.slice(1), contents: readFileSync(path) };
  });
  return Promise.resolve(Buffer.from(zip([{ name: 'index.html', contents: html }, ...items])));
}
