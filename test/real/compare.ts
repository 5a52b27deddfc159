/**
 * `npm run test:real:compare [-- --only leaflet,aos]`: converts the corpus to PDF, one page after another, with Platen's default
 * options and with Puppeteer's networkidle0. Checks both results with the oracles and with references that the same program creates
 * after six seconds. Prints Markdown.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { differences, sheetsOf, violatedFacts, type Oracle } from './oracle.ts';
import { oracles } from './oracles/all.ts';
import { PuppeteerRun } from './puppeteer.ts';
import { realWaitMs } from './references.ts';
import { artefacts, CorpusRun, inParallel, type CorpusVerdict } from './results.ts';
import { openSite } from './site.ts';
import { medianMs } from './table.ts';

const referenceCallers = 6;
const peerArtefacts = join(artefacts, 'puppeteer');
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });

begin().then(
  () => process.exit(),
  (problem: unknown) => {
    process.stderr.write(
      `${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}\n`,
    );
    process.exit(1);
  },
);

async function begin(): Promise<void> {
  const names = values.only.split(',').filter((name) => name !== '');
  const chosen = oracles.filter(({ page }) => names.length === 0 || names.includes(page));
  const platen = await ownVerdicts(chosen);
  const peers = await peerVerdicts(chosen);
  process.stdout.write(`${[...rows(platen, peers), '', ...reasons(peers)].join('\n')}\n`);
}

async function ownVerdicts(chosen: readonly Oracle[]): Promise<CorpusVerdict[]> {
  await using run = await CorpusRun.open(referenceCallers);
  const requests = chosen.map((oracle) => ({ oracle, format: 'pdf' as const }));
  await run.prepare(requests, referenceCallers);
  return await inParallel(requests, 1, (each) => run.check(each));
}

async function peerVerdicts(chosen: readonly Oracle[]): Promise<CorpusVerdict[]> {
  await using site = await openSite();
  await using puppeteer = await PuppeteerRun.open();
  mkdirSync(peerArtefacts, { recursive: true });
  const references = new Map<Oracle, Buffer>();
  const compared = chosen.filter(({ compare }) => compare !== 'facts');
  await inParallel(compared, referenceCallers, async (oracle) => {
    references.set(oracle, await puppeteer.convert(site.urlOf(oracle.page), realWaitMs));
  });
  return await inParallel(chosen, 1, async (oracle) => {
    const started = performance.now();
    const result = await puppeteer
      .convert(site.urlOf(oracle.page))
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    const milliseconds = performance.now() - started;
    const reasons =
      result instanceof Error ? [result.message] : await reasonsOf(oracle, result, references.get(oracle));
    return { page: oracle.page, format: 'pdf' as const, asArchive: false, milliseconds, reasons };
  });
}

async function reasonsOf(oracle: Oracle, result: Buffer, reference: Buffer | undefined): Promise<string[]> {
  const sheets = await sheetsOf(result, 'pdf');
  const violated = violatedFacts(oracle, { result, format: 'pdf', sheets });
  const compared =
    reference === undefined
      ? []
      : differences(sheets, await sheetsOf(reference, 'pdf'), oracle.differingPixels);
  const wrong = [...violated, ...compared];
  if (wrong.length > 0) writeFileSync(join(peerArtefacts, `${oracle.page}.pdf`), result);
  return wrong;
}

function rows(platen: readonly CorpusVerdict[], peers: readonly CorpusVerdict[]): string[] {
  const verdictOf = (verdict?: CorpusVerdict) => (verdict?.reasons.length === 0 ? 'correct' : 'wrong');
  const share = (verdicts: readonly CorpusVerdict[]) =>
    `${verdicts.filter(({ reasons: all }) => all.length === 0).length} of ${verdicts.length}`;
  return [
    '| page | Platen | ms | Puppeteer, networkidle0 | ms |',
    '| --- | --- | --- | --- | --- |',
    ...platen.map((verdict, index) => {
      const peer = peers[index];
      return `| ${verdict.page} | ${verdictOf(verdict)} | ${Math.round(verdict.milliseconds)} | ${verdictOf(peer)} | ${Math.round(peer?.milliseconds ?? 0)} |`;
    }),
    `| correct; median | ${share(platen)} | ${medianMs(platen)} | ${share(peers)} | ${medianMs(peers)} |`,
  ];
}

function reasons(peers: readonly CorpusVerdict[]): string[] {
  return peers
    .filter(({ reasons: all }) => all.length > 0)
    .map(({ page, reasons: all }) => `- Puppeteer, ${page}: ${all.slice(0, 3).join('; ')}`);
}
