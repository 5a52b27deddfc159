/** Writes the figures of one or more runs to docs/performance.md. The text around the figures is written by hand. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { project } from '../support/service/service.ts';
import { documentNames, makeDocument } from './documents/all.ts';
import { shown } from './report.ts';
import type { Profile } from './measures/profile.ts';
import type { TwoWindowsFigures } from './measures/two-windows.ts';
import type { BenchmarkResults } from './results.ts';
import { standingIn, type Standing } from './standings.ts';
import { median, pairedRatio } from './statistics.ts';
import { verdicts } from './targets.ts';

const file = join(project, 'docs', 'performance.md');
const begin = '<!-- figures: made by `npm run bench -- --write-docs` -->';
const end = '<!-- end of the figures -->';

/** Replaces the figures in docs/performance.md. @throws Error if the page has no markers for the figures */
export async function writePage(runs: readonly BenchmarkResults[]): Promise<void> {
  const titles = new Map<string, string>();
  for (const name of documentNames) titles.set(name, (await makeDocument(name)).title);
  const page = withFigures(readFileSync(file, 'utf8'), figures(runs, titles));
  writeFileSync(file, await format(page, { ...(await resolveConfig(file)), parser: 'markdown' }));
}

/** Returns the page with new figures. @throws Error if the page has no markers for the figures */
export function withFigures(page: string, made: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`docs/performance.md must contain '${begin}', and after it '${end}'`);
  return `${page.slice(0, from)}${begin}\n\n${made}\n\n${page.slice(to)}`;
}

type Titles = ReadonlyMap<string, string>;

/** Returns the figures as Markdown. Figures that are not compared between candidates come from the first run that has them. */
export function figures(runs: readonly BenchmarkResults[], titles: Titles): string {
  const profiles = runs.find((run) => run.profiles.length > 0)?.profiles ?? [];
  const twoWindows = runs.find((run) => run.twoWindows !== undefined)?.twoWindows;
  return [
    runs.length === 1 ? '## The run' : '## The runs',
    ...runs.map(machineText),
    '## Targets',
    targetTable(runs),
    ...runs.flatMap(({ standings }) => throughputSections(standings, titles)),
    '## Time of a job, by stage',
    profileTable(profiles, titles),
    ...(twoWindows === undefined ? [] : ['## Two windows against one', twoWindowsTable(twoWindows, titles)]),
  ].join('\n\n');
}

function throughputSections(standings: readonly Standing[], titles: Titles): string[] {
  const callers = [...new Set(standings.map((standing) => standing.callers))].sort(
    (left, right) => right - left,
  );
  const names = candidatesOf(standings).join(', ');
  return callers.flatMap((count) => [
    `## At ${callersText(count)}: ${names}`,
    throughputTable(standings, count, titles),
  ]);
}

function candidatesOf(standings: readonly Standing[]): string[] {
  return [...new Set(standings.map(({ candidate }) => candidate))];
}

function callersText(count: number): string {
  return count === 1 ? 'one caller' : `${count} callers`;
}

function machineText({ machine, startedAt, run, standings, failures }: BenchmarkResults): string {
  const { cores, processor, memory, system } = machine;
  const size = `${(memory / 2 ** 30).toFixed(0)} GiB of memory`;
  return [
    `${startedAt.slice(0, 10)}, ${cores} cores (${processor}), ${size}, ${system};`,
    `Electron ${run.electron}, ${run.workers} windows; ${roundsText(run, standings)}`,
    ...run.leftOut,
    ...failures.map((sentence) => `${sentence}.`),
  ].join('\n');
}

function roundsText(run: BenchmarkResults['run'], standings: BenchmarkResults['standings']): string {
  if (standings.length === 0) return 'no documents.';
  return `${run.rounds} rounds with laps of at least ${run.lap / 1000} s; candidates: ${candidatesOf(standings).join(', ')}.`;
}

function targetTable(runs: readonly BenchmarkResults[]): string {
  const rows = verdicts(runs).map(({ what, bound, value, unit, figure, reached }) => [
    what,
    `${bound} ${value}${unit}`,
    ...(figure === undefined
      ? ['not measured', '']
      : [`${shown(figure)}${unit}`, reached ? 'yes' : '**no**']),
  ]);
  return table(['what', 'target', 'measured', 'reached'], rows);
}

function throughputTable(standings: readonly Standing[], callers: number, titles: Titles): string {
  const all = standings.filter((one) => one.callers === callers);
  const names = candidatesOf(all);
  const rows = [...new Set(all.map(({ document }) => document))].map((document) => [
    titles.get(document) ?? document,
    ...names.map((candidate) => cell(standingIn(all, { document, callers, candidate }))),
  ]);
  const note = 'Jobs/s (minimum to maximum of the rounds; processor time per job in ms; p50 / p99 in ms).';
  return `${note}\n\n${table(['document', ...names], rows)}`;
}

function cell(standing: Standing | undefined): string {
  if (standing === undefined) return '-';
  const { jobsPerSecond: rate, cpuPerJob, p50, p99 } = standing;
  const spread = `${shown(rate.least)} to ${shown(rate.most)}`;
  return `**${shown(rate.median)}** (${spread}; ${shown(cpuPerJob.median)}; ${shown(p50)} / ${shown(p99)})`;
}

/** A stage that is shorter for all documents gets no row, but its time is included in the sum. */
const shortestStageMs = 0.05;

function profileTable(profiles: readonly Profile[], titles: Titles): string {
  const stages = [...new Set(profiles.flatMap((profile) => profile.stages.map(({ name }) => name)))];
  const took = ({ stages: timed }: Profile, name: string) =>
    timed.find((stage) => stage.name === name)?.took ?? 0;
  const row = (name: string, of: (profile: Profile) => number) => [
    name,
    ...profiles.map((profile) => ms(of(profile))),
  ];
  const rows = [
    ...stages
      .filter((name) => profiles.some((profile) => took(profile, name) >= shortestStageMs))
      .map((name) => row(name, (profile) => took(profile, name))),
    row('other work: form, job record, credits', (profile) => profile.inService - sumOf(profile)),
    row('HTTP request and response', (profile) => profile.waited - profile.inService),
    row('**total time for the caller**', (profile) => profile.waited),
  ];
  const heads = profiles.map(({ document }) => titles.get(document) ?? document);
  const note = 'Medians in milliseconds at one caller, for the stages that the service writes to its log.';
  return `${note}\n\n${table(['stage', ...heads], rows)}`;
}

function twoWindowsTable({ documents }: TwoWindowsFigures, titles: Titles): string {
  const note =
    'Medians of jobs/s at 8 callers. Cores: how many cores the processes of the service keep busy; the callers use the rest.';
  const rows = documents.map(({ name, one, two, cores }) => [
    titles.get(name) ?? name,
    `${shown(median(one))} (${shown(cores.one)} cores)`,
    `${shown(median(two))} (${shown(cores.two)} cores)`,
    shown(pairedRatio(two, one)),
  ]);
  return `${note}\n\n${table(['document', 'one window', 'two windows', 'ratio'], rows)}`;
}

function sumOf({ stages }: Profile): number {
  return stages.reduce((sum, { took }) => sum + took, 0);
}

function ms(value: number): string {
  return Math.abs(value) < shortestStageMs ? '' : value.toFixed(1);
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
