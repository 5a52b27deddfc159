/**
 * Provides the references: results of each page after a fixed wait (`javascript_delay`) of six seconds, or of 20 if six were too few.
 * They are cached in .build/test/real/references as long as the page, its data, the libraries and the service are unchanged.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../support/service/service.ts';
import { corpus } from './libraries.ts';
import { sheetsOf, violatedFacts, type Format, type Oracle, type RenderedSheet } from './oracle.ts';

export const realWaitMs = 6000;

/** In six seconds of a busy machine, a page may draw fewer than the 300 frames that the layout of a graph takes. */
const longWaitMs = 20_000;

/** The maximum number of conversions of a reference: on a busy machine, six seconds can be too short for a page. */
const attempts = 2;

const cacheFolder = join(project, '.build', 'test', 'real', 'references');

/** The files of the service that influence a result. */
const programs = ['service-program.cjs', 'page-preload.cjs', 'page-library.cjs', 'runtime.json'];

type Convert = (oracle: Oracle, format: Format, delay: number) => Promise<Buffer>;

export class References {
  readonly #convert: Convert;
  readonly #program: string;
  readonly #made = new Map<string, Promise<Buffer>>();

  constructor(convert: Convert) {
    this.#convert = convert;
    const hash = createHash('sha256').update(readFileSync(join(corpus, 'package-lock.json')));
    for (const name of programs) hash.update(readFileSync(join(project, '.build', name)));
    for (const folder of ['data', 'fragments'])
      for (const name of readdirSync(join(corpus, folder)).sort())
        hash.update(readFileSync(join(corpus, folder, name)));
    this.#program = hash.digest('hex');
    mkdirSync(cacheFolder, { recursive: true });
  }

  async of(oracle: Oracle, format: Format): Promise<RenderedSheet[]> {
    const name = `${oracle.page}.${format}`;
    const made = this.#made.get(name) ?? this.#make(oracle, format);
    this.#made.set(name, made);
    return await sheetsOf(await made, format);
  }

  /** Returns a reference that replaces the existing one, because the page may not have been ready for it. */
  async afterLongWait(oracle: Oracle, format: Format): Promise<RenderedSheet[]> {
    const made = this.#convertChecked(oracle, format, longWaitMs);
    this.#made.set(`${oracle.page}.${format}`, made);
    return await sheetsOf(await made, format);
  }

  async #make(oracle: Oracle, format: Format): Promise<Buffer> {
    const path = this.#pathOf(oracle, format);
    return existsSync(path) ? readFileSync(path) : await this.#convertChecked(oracle, format, realWaitMs);
  }

  #pathOf(oracle: Oracle, format: Format): string {
    const page = readFileSync(join(corpus, 'pages', `${oracle.page}.html`));
    const key = createHash('sha256').update(this.#program).update(page).digest('hex').slice(0, 16);
    return join(cacheFolder, `${oracle.page}-${key}.${format}`);
  }

  async #convertChecked(oracle: Oracle, format: Format, waitMs: number): Promise<Buffer> {
    let violated: string[] = [];
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const result = await this.#convert(oracle, format, waitMs);
      const sheets = await sheetsOf(result, format);
      violated = violatedFacts(oracle, { result, format, sheets });
      if (violated.length > 0) {
        writeFileSync(join(cacheFolder, `wrong-${oracle.page}.${format}`), result);
        continue;
      }
      writeFileSync(this.#pathOf(oracle, format), result);
      return result;
    }
    throw new Error(`${waitMs / 1000} seconds after loading: ${violated.join('; ')}`);
  }
}
