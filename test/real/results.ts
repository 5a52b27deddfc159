/** Converts pages of the corpus and checks the results with their oracles. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { htmlFile, send, type Fields } from '../support/service/convert.ts';
import { project, startService, type Service } from '../support/service/service.ts';
import { archiveOf } from './archive.ts';
import { installLibraries } from './libraries.ts';
import {
  differences,
  sheetsOf,
  violatedFacts,
  type Format,
  type Oracle,
  type RenderedSheet,
} from './oracle.ts';
import { References } from './references.ts';
import { openSite, type CorpusSite } from './site.ts';

export interface CorpusVerdict {
  readonly page: string;
  readonly format: Format;
  readonly asArchive: boolean;
  readonly milliseconds: number;
  /** The reasons why the result is wrong; empty if it is correct. */
  readonly reasons: readonly string[];
}

export interface CorpusRequest {
  readonly oracle: Oracle;
  readonly format: Format;
  /** Whether to send the page with its resources as an archive instead of its URL. */
  readonly asArchive?: boolean;
  /** Further options of the conversion. */
  readonly options?: Fields;
}

/** The folder in which wrong results are saved. */
export const artefacts = join(project, '.build', 'test', 'real');

/** Starts a service and the site of the corpus, and checks conversions. */
export class CorpusRun implements AsyncDisposable {
  readonly site: CorpusSite;
  readonly #service: Service;
  readonly #references: References;

  private constructor(site: CorpusSite, service: Service) {
    this.site = site;
    this.#service = service;
    this.#references = new References(async (oracle, format, delay) => {
      const { body } = await this.#convert({ oracle, format, options: { javascript_delay: delay } });
      return body;
    });
  }

  static async open(workers: number): Promise<CorpusRun> {
    await installLibraries();
    mkdirSync(artefacts, { recursive: true });
    const site = await openSite();
    const flags = ['--network-allow', site.host, '--workers', String(workers), '--queue-timeout', '10m'];
    return new CorpusRun(site, await startService({ flags }));
  }

  /** Creates the references in parallel, because their conversions mostly wait. `check` reports references that failed. */
  async prepare(requests: readonly CorpusRequest[], callers: number): Promise<void> {
    const withReference = requests.filter(({ oracle }) => oracle.compare !== 'facts');
    await inParallel(withReference, callers, ({ oracle, format }) =>
      this.#references.of(oracle, format).catch(() => {}),
    );
  }

  async check(request: CorpusRequest): Promise<CorpusVerdict> {
    const { oracle, format } = request;
    const { status, body, milliseconds } = await this.#convert(request);
    const reasons = status === 200 ? await this.#reasons(request, body) : [body.toString()];
    const name = join(artefacts, `${oracle.page}${request.asArchive === true ? '-archive' : ''}.${format}`);
    if (reasons.length > 0) {
      writeFileSync(name, body);
      writeFileSync(`${name}.txt`, `${reasons.join('\n')}\n`);
    } else {
      rmSync(name, { force: true });
      rmSync(`${name}.txt`, { force: true });
    }
    return { page: oracle.page, format, asArchive: request.asArchive === true, milliseconds, reasons };
  }

  async #reasons({ oracle, format }: CorpusRequest, result: Buffer): Promise<string[]> {
    const sheets = await sheetsOf(result, format);
    const violated = violatedFacts(oracle, { result, format, sheets });
    if (oracle.compare === 'facts') return violated;
    const differencesFrom = async (reference: Promise<RenderedSheet[]>) =>
      differences(sheets, await reference, oracle.differingPixels);
    try {
      const found = await differencesFrom(this.#references.of(oracle, format));
      const isEqual = found.length === 0;
      return [
        ...violated,
        ...(isEqual ? [] : await differencesFrom(this.#references.afterLongWait(oracle, format))),
      ];
    } catch (error) {
      return [
        ...violated,
        `the reference is wrong: ${error instanceof Error ? error.message : String(error)}`,
      ];
    }
  }

  async #convert({ oracle, format, asArchive, options }: CorpusRequest) {
    const source =
      asArchive === true
        ? { file: htmlFile(await archiveOf(oracle.page), `${oracle.page}.zip`) }
        : { url: this.site.urlOf(oracle.page) };
    const started = performance.now();
    const answer = await send(this.#service, { ...source, output_format: format, ...options });
    return { ...answer, milliseconds: performance.now() - started };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
    await this.site[Symbol.asyncDispose]();
  }
}

/** Calls the function for each item, `callers` at a time, and resolves with the results in the order of the items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  callers: number,
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.map((item, index) => ({ item, index }));
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results[next.index] = await call(next.item);
  };
  await Promise.all(Array.from({ length: callers }, work));
  return results;
}
