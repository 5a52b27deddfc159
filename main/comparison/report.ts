/**
 * Writes the report of a comparison into a folder: index.html with all samples, report.json with the same facts, and
 * samples/<sample>/page-<n>.html for each page with differences, with its images beside it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileNames } from './file-names.ts';
import type { PageImages } from './page-images.ts';
import { indexHtml, pageHtml } from './report-html.ts';
import {
  pagesWithDifferences,
  verdictOf,
  type ComparedInstallations,
  type ReportedPage,
  type ReportedSample,
  type SampleResult,
} from './sample-result.ts';

/** Writes images as they are made, and everything else in `close`. */
export class ComparisonReport {
  readonly #folder: string;
  readonly #installations: ComparedInstallations;
  readonly #fileNames = new FileNames();
  readonly #samples: SampleReport[] = [];

  /** Creates the folder if it does not exist. Files of an earlier report with other names remain. @throws errors of the file system */
  static async open(folder: string, installations: ComparedInstallations): Promise<ComparisonReport> {
    await mkdir(folder, { recursive: true });
    return new ComparisonReport(folder, installations);
  }

  private constructor(folder: string, installations: ComparedInstallations) {
    this.#folder = folder;
    this.#installations = installations;
  }

  /** Adds a sample at the end of the report. `name`: any text; several samples may have the same. */
  addSample(name: string): SampleReport {
    const sample = new SampleReport({
      name,
      folder: this.#folder,
      path: `samples/${this.#fileNames.add(name)}`,
    });
    this.#samples.push(sample);
    return sample;
  }

  /** Writes all pages and report.json. Returns the path of index.html. @throws errors of the file system */
  async close(): Promise<string> {
    const samples = this.#samples.map((sample) => sample.reported());
    const places = samples.flatMap((sample) => sample.pages.map((page) => ({ sample, page })));
    for (const [index, place] of places.entries()) {
      const html = pageHtml({
        ...place,
        installations: this.#installations,
        previous: places[index - 1]?.page.html,
        next: places[index + 1]?.page.html,
      });
      await writeReportFile(join(this.#folder, place.page.html), html);
    }
    const facts = { ...this.#installations, samples };
    await writeReportFile(join(this.#folder, 'report.json'), `${JSON.stringify(facts, null, 2)}\n`);
    const index = join(this.#folder, 'index.html');
    await writeReportFile(index, indexHtml(this.#installations, samples));
    return index;
  }
}

interface SampleLocation {
  readonly name: string;
  /** The report's folder. */
  readonly folder: string;
  /** The path of the sample's folder in the report. */
  readonly path: string;
}

export class SampleReport {
  readonly #location: SampleLocation;
  readonly #images = new Map<number, ReportedPage['images']>();
  #result: SampleResult | undefined;

  constructor(location: SampleLocation) {
    this.#location = location;
  }

  /** Writes the images of a page. Pass this to `compareDocuments` as `onDifferingPage`. @throws errors of the file system */
  readonly writeImages = async ({ page, ...images }: PageImages): Promise<void> => {
    const paths: Record<string, string> = {};
    for (const kind of ['before', 'after', 'overlay'] as const) {
      const image = images[kind];
      if (image === undefined) continue;
      const path = `${this.#pathOf(page)}-${kind}.png`;
      await writeReportFile(join(this.#location.folder, path), image);
      paths[kind] = path;
    }
    this.#images.set(page, paths);
  };

  setResult(result: SampleResult): void {
    this.#result = result;
  }

  reported(): ReportedSample {
    const result = this.#result;
    const compared = result?.failures === undefined ? result?.difference : undefined;
    const numbers = compared?.kind === 'pages compared' ? pagesWithDifferences(compared) : [];
    const pages = numbers.map((page) => ({
      page,
      html: `${this.#pathOf(page)}.html`,
      images: this.#images.get(page) ?? {},
    }));
    const verdict = result === undefined ? 'unfinished' : verdictOf(result);
    return { name: this.#location.name, verdict, result, pages };
  }

  #pathOf(page: number): string {
    return `${this.#location.path}/page-${String(page).padStart(4, '0')}`;
  }
}

async function writeReportFile(file: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
