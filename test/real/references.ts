/**
 * Provides the references: results of each page after a fixed wait of six seconds (`javascript_delay`). They are cached in
 * .build/test/real/references as long as the page, its data, the libraries and the service are unchanged.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../support/service/service.ts';
import { corpus } from './libraries.ts';
import { sheetsOf, violatedFacts, type Format, type Oracle, type RenderedSheet } from './oracle.ts';

export const realWaitMs = 6000;

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

  async #make(oracle: Oracle, format: Format): Promise<Buffer> {
    const page = readFileSync(join(corpus, 'pages', `${oracle.page}.html`));
    const key = createHash('sha256').update(this.#program).update(page).digest('hex').slice(0, 16);
    const path = join(cacheFolder, `${oracle.page}-${key}.${format}`);
    if (existsSync(path)) return readFileSync(path);
    let violated: string[] = [];
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const result = await this.#convert(oracle, format, realWaitMs);
      const sheets = await sheetsOf(result, format);
      violated = violatedFacts(oracle, { result, format, sheets });
      if (violated.length > 0) {
        writeFileSync(join(cacheFolder, `wrong-${oracle.page}.${format}`), result);
        continue;
      }
      writeFileSync(path, result);
      return result;
    }
    throw new Error(`six seconds after loading: ${violated.join('; ')}`);
  }
}
