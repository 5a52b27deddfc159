/** `platen rehearse`: converts samples with this installation and with another one, and reports what differs. */
import { readdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { compareDocuments } from '../comparison/compare-documents.ts';
import { ComparisonReport, type SampleReport } from '../comparison/report.ts';
import { verdictOf, type SampleResult, type SampleVerdict } from '../comparison/sample-result.ts';
import { launcherProgram } from '../launch/launcher-command.ts';
import { catchSignals } from '../launch/signals.ts';
import { counted } from '../log/findings/phrases.ts';
import { KeptInputs } from '../kept-inputs/kept-inputs.ts';
import { fontFolders } from '../settings/data-folder.ts';
import { loadSettings, type LoadedSettings, type SettingSources } from '../settings/load.ts';
import { readRawSettings } from '../settings/raw-settings.ts';
import { parseArguments } from './arguments.ts';
import { exitCodes } from './convert/exit-codes.ts';
import { findInputs } from './convert/inputs.ts';
import { planItems } from './convert/plan.ts';
import { programOf } from './installation/program.ts';
import { ownSettings } from './installation/temporary-service.ts';
import { RehearsedSide, type RehearsedSample } from './rehearse/rehearsed-side.ts';
import { openTemporaryFolder } from './temporary-folder.ts';
import { printLine, UsageProblem } from './terminal.ts';

const rehearseHelp = `usage: platen rehearse --with PATH --report FOLDER [--samples FOLDER] [--data FOLDER]

Converts samples with this installation and with another one, compares the documents, and writes a report.

  --with PATH       The other installation: the folder of a package or clone, or its program.
  --report FOLDER   Receives index.html, a page for each difference, and report.json.
  --samples FOLDER  HTML files, with the files beside them, and archives. Without it, the samples are the requests
                    that the setting keep-inputs has kept in the data folder.
  --data FOLDER     The data folder whose settings, fonts and kept requests are used.

Both installations run as services with temporary data folders. The service that uses the data folder is not touched.

Exit codes: 0 no document differs, 1 at least one document differs or cannot be compared, 2 an invalid command line,
130 interrupted.`;

/** Runs the command and resolves with the exit code. @throws UsageProblem, SettingProblem, Error with a one-sentence message */
export async function rehearse(parameters: readonly string[]): Promise<number> {
  const { flags, positionals } = parseArguments(parameters, {
    help: 'switch',
    with: 'value',
    report: 'value',
    samples: 'value',
    data: 'value',
  });
  if (flags.has('help')) {
    printLine(rehearseHelp);
    return 0;
  }
  const other = flags.get('with');
  const reportFolder = flags.get('report');
  if (other === undefined || reportFolder === undefined || positionals.length > 0)
    throw new UsageProblem(
      'rehearse needs two flags: platen rehearse --with PATH --report FOLDER (see --help).',
    );
  const program = programOf(other);
  await refuseIfUsed(reportFolder);
  const data = flags.get('data');
  const sources = { flags: data === undefined ? [] : [`--data=${resolve(data)}`], environment: process.env };
  using signals = catchSignals();
  const signal = signals.stopSignal;
  try {
    const verdicts = await compareInstallations({
      program,
      reportFolder,
      samplesFolder: flags.get('samples'),
      sources,
      signal,
    });
    const differing = verdicts.filter(
      (verdict) => verdict !== 'identical' && verdict !== 'same appearance',
    ).length;
    printLine(summaryOf(differing));
    return differing === 0 ? 0 : 1;
  } catch (problem) {
    if (signal.aborted) return exitCodes.interrupted;
    throw problem;
  }
}

interface Rehearsal {
  /** The command line of the other installation. */
  readonly program: readonly string[];
  readonly reportFolder: string;
  /** Undefined for kept requests. */
  readonly samplesFolder: string | undefined;
  readonly sources: SettingSources;
  readonly signal: AbortSignal;
}

/** Compares all samples and writes the report, also if it is interrupted. Returns the verdict of each sample. */
async function compareInstallations({
  program,
  reportFolder,
  samplesFolder,
  sources,
  signal,
}: Rehearsal): Promise<readonly SampleVerdict[]> {
  const settings = loadSettings(sources);
  await using folder = await openTemporaryFolder('rehearsal');
  const samples = await samplesOf(samplesFolder, settings, { folder: folder.path, signal });
  const common = { ...serviceSettings(sources, settings), signal };
  await using before = await RehearsedSide.open({ ...common, program: launcherProgram() });
  await using after = await RehearsedSide.open({ ...common, program });
  printLine(`Comparing ${before.name} with ${after.name}: ${counted(samples.length, 'sample')}.`);
  const report = await ComparisonReport.open(reportFolder, { before: before.name, after: after.name });
  const verdicts: SampleVerdict[] = [];
  try {
    for (const sample of samples) {
      const sides = { before, after, report: report.addSample(sample.name), signal };
      const verdict = await compareSample(sample, sides);
      printLine(`${verdict.padEnd(15)} ${sample.name}`);
      verdicts.push(verdict);
    }
  } finally {
    printLine(`Report: ${await report.close()}`);
  }
  return verdicts;
}

function summaryOf(differing: number): string {
  if (differing === 0) return 'No document differs.';
  return differing === 1
    ? 'One document differs or cannot be compared.'
    : `${differing} documents differ or cannot be compared.`;
}

/** Files of an earlier report would stay beside the new ones. @throws UsageProblem if the folder contains something */
async function refuseIfUsed(folder: string): Promise<void> {
  const entries = await readdir(folder).catch(() => []);
  if (entries.length > 0) throw new UsageProblem(`${folder} is not empty; give --report a new folder.`);
}

interface ComparedSides {
  readonly before: RehearsedSide;
  readonly after: RehearsedSide;
  readonly report: SampleReport;
  readonly signal: AbortSignal;
}

async function compareSample(
  sample: RehearsedSample,
  { before, after, report, signal }: ComparedSides,
): Promise<SampleVerdict> {
  const withDate = before.knowsCreationDate && after.knowsCreationDate;
  const [one, other] = await Promise.all([
    before.convert(sample, { withDate, signal }),
    after.convert(sample, { withDate, signal }),
  ]);
  const result: SampleResult =
    one.bytes === undefined || other.bytes === undefined
      ? { failures: { before: one.message, after: other.message } }
      : {
          difference: await compareDocuments(one.bytes, other.bytes, {
            onDifferingPage: report.writeImages,
            signal,
          }),
        };
  report.setResult(result);
  return verdictOf(result);
}

interface SampleSearch {
  /** A temporary folder. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** @throws UsageProblem if there are no samples */
async function samplesOf(
  samplesFolder: string | undefined,
  settings: LoadedSettings,
  { folder, signal }: SampleSearch,
): Promise<RehearsedSample[]> {
  if (samplesFolder !== undefined) {
    const inputs = await findInputs([samplesFolder], { stdin: join(folder, 'input'), signal });
    const { items } = planItems(inputs, { outDir: folder, format: 'pdf' });
    return items.map((item) => ({ name: nameOf(item.input, samplesFolder), item }));
  }
  const kept: RehearsedSample[] = [];
  for await (const input of (await KeptInputs.open(settings)).read())
    kept.push({ name: `${input.account} ${input.job}`, kept: input });
  if (kept.length > 0) return kept;
  throw new UsageProblem(
    `there are no kept requests in ${settings.data}; give a folder with --samples FOLDER, or let the service keep requests with the setting keep-inputs.`,
  );
}

function nameOf(input: { readonly name: string; readonly path?: string }, samplesFolder: string): string {
  return input.path === undefined
    ? input.name
    : relative(resolve(samplesFolder), input.path).replaceAll('\\', '/');
}

/** Returns the settings in config.json and the fonts of the data folder, without what belongs to one service only. */
function serviceSettings(sources: SettingSources, { data }: LoadedSettings) {
  const omitted = new Set<string>(ownSettings);
  const entries = [...readRawSettings(sources).file].filter(([name]) => !omitted.has(name));
  const { fonts } = fontFolders(data);
  return {
    config: Object.fromEntries(entries.map(([name, { text }]) => [name, text])),
    ...(existsSync(fonts) && { fonts }),
  };
}
