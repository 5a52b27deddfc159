/** Validates the command line and prepares everything a run needs, before anything is started. */
import { statSync } from 'node:fs';
import { join, extname } from 'node:path';
import { loadSettings, type LoadedSettings } from '../../settings/load.ts';
import { UsageProblem } from '../terminal.ts';
import { readRoot } from './sibling-folder.ts';
import { checkForm, readForm, type ItemForm } from './form.ts';
import { findInputs } from './inputs.ts';
import type { ConvertFlagName } from './flags.ts';
import { planItems, type ConversionPlan } from './plan.ts';
import type { ProgressOptions } from './progress/progress-reporter.ts';
import type { ConvertArguments } from './arguments.ts';
import { table } from '../../job/options.ts';

export interface Prepared {
  readonly plan: ConversionPlan;
  /** Searches for the inputs again and plans them. @throws UsageProblem */
  readonly replan: () => Promise<ConversionPlan>;
  readonly form: ItemForm;
  readonly settings: LoadedSettings;
  /** The settings as given, which are passed to the child process. */
  readonly sources: CommandLineSources;
  readonly remote?: { readonly url: string; readonly account: string };
  readonly progressOptions: ProgressOptions;
  readonly force: boolean;
  readonly watch: boolean;
}

interface CommandLineSources {
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether --data names the data folder, which another process may then be using. */
  readonly hasNamedDataFolder: boolean;
}

interface PrepareContext {
  /** The temporary folder of the run. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Validates the command line. @throws UsageProblem, SettingProblem, the signal's reason */
export async function prepare(
  parsed: ConvertArguments,
  { folder, signal }: PrepareContext,
): Promise<Prepared> {
  const { flags, options } = parsed;
  const sources = sourcesOf(parsed, folder);
  const settings = loadSettings(sources);
  const { inputs, output } = splitPositionals(parsed);
  const format = outputFormat(options.get('output_format')?.[0]?.text, output);
  const form = await readForm(options, format);
  const remote = remoteOf(parsed);
  const planOptions = {
    output,
    outDir: flags.get('out-dir'),
    format,
    debugLog: flags.get('debug-log'),
    root: flags.has('no-root') ? ('none' as const) : readRoot(flags.get('root')),
  };
  const replan = async () =>
    planItems(await findInputs(inputs, { stdin: join(folder, 'input'), signal }), planOptions);
  const plan = await replan();
  const hasOnlyUrls = plan.items.every(({ input }) => input.kind === 'url');
  const limits = { ...settings, ...(remote && { 'job-timeout': Infinity }) };
  await checkForm(form, limits, hasOnlyUrls ? 'url' : 'text');
  rejectBadOutput(plan, flags);
  const hasFlag = (name: ConvertFlagName) => flags.has(name);
  const progressOptions = { quiet: hasFlag('quiet'), verbose: hasFlag('verbose'), json: hasFlag('json') };
  return {
    plan,
    replan,
    form,
    settings,
    sources,
    force: hasFlag('force'),
    watch: hasFlag('watch'),
    progressOptions: { ...progressOptions, isTerminal: process.stderr.isTTY },
    ...(remote && { remote }),
  };
}

/**
 * Returns the sources of the settings. Without --data, the data folder is temporary, so that the command does not need the lock of
 * a running service.
 */
function sourcesOf({ settings }: ConvertArguments, folder: string): CommandLineSources {
  const { PLATEN_DATA: _data, PLATEN_ACCOUNT: _account, ...environment } = process.env;
  const hasNamedDataFolder = settings.some((flag) => flag.startsWith('--data='));
  return {
    environment,
    hasNamedDataFolder,
    flags: hasNamedDataFolder ? settings : [...settings, `--data=${join(folder, 'data')}`],
  };
}

/** Splits off the output: of several arguments the last one, if it is `-`, a device, or a name with the extension of a format. */
function splitPositionals({ positionals, flags }: ConvertArguments): {
  inputs: readonly string[];
  output: string | undefined;
} {
  if (positionals.length === 0)
    throw new UsageProblem('no input given; usage: platen convert page.html page.pdf (see --help).');
  const namedOutput = flags.get('output');
  const last = positionals.at(-1) ?? '';
  const isOutput =
    positionals.length > 1 && (last === '-' || formatOfName(last) !== undefined || isDevice(last));
  if (namedOutput !== undefined || !isOutput || flags.has('out-dir'))
    return { inputs: positionals, output: namedOutput };
  if (positionals.length > 2)
    throw new UsageProblem(
      `${positionals.length - 1} inputs cannot become one output, '${last}'; use --out-dir FOLDER, or name no output to write each beside its input.`,
    );
  return { inputs: positionals.slice(0, 1), output: last };
}

/** Returns whether the path is a device or a pipe. */
function isDevice(path: string): boolean {
  try {
    const stats = statSync(path);
    return !stats.isFile() && !stats.isDirectory();
  } catch {
    return false;
  }
}

function rejectBadOutput({ items }: ConversionPlan, flags: ConvertArguments['flags']): void {
  const toStandardOutput = items.some(({ output }) => output === undefined);
  if (flags.has('watch') && items.some(({ input }) => input.kind !== 'file'))
    throw new UsageProblem('--watch supports files and folders only, not URLs or standard input.');
  if (!toStandardOutput) return;
  if (flags.has('json')) throw new UsageProblem('--json and the output cannot both go to standard output.');
  if (flags.has('watch')) throw new UsageProblem('--watch needs a file as its output.');
  if (process.stdout.isTTY)
    throw new UsageProblem('a document is not written to a terminal; name a file, or redirect with > FILE.');
}

function remoteOf({ flags, settings }: ConvertArguments): Prepared['remote'] {
  const url = flags.get('remote');
  const account = flags.get('account') ?? process.env.PLATEN_ACCOUNT ?? '';
  if (url === undefined) {
    if (flags.has('account')) throw new UsageProblem('--account requires --remote URL.');
    if (settings.some((flag) => flag.startsWith('--max-upload=')))
      throw new UsageProblem('--max-upload requires --remote URL.');
    return undefined;
  }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new UsageProblem(`--remote: '${url}' is not a complete http:// or https:// URL.`);
  const { username, origin, pathname } = new URL(url);
  if (username !== '')
    throw new UsageProblem('--remote: give user and key with PLATEN_ACCOUNT or --account, not in the URL.');
  if (!/^[^:]+:./.test(account))
    throw new UsageProblem('--remote requires an account: user:key in PLATEN_ACCOUNT or --account.');
  const path = pathname.replace(/(?<!\/)\/+$/, '').replace(/\/convert(\/[\w.]+)?$/, '');
  return { url: `${origin}${path}`, account };
}

// The output format: the option output_format, else the format of the output's extension, else PDF.

type OutputFormat = ReturnType<(typeof table)['output_format']['kind']['read']> & string;

/** Alternative file name extensions of formats. */
const extensions: Readonly<Partial<Record<string, OutputFormat>>> = { jpeg: 'jpg', jpe: 'jpg', tif: 'tiff' };

/** Returns the format of a file name; undefined if its extension is unknown. */
function formatOfName(name: string): OutputFormat | undefined {
  const extension = extname(name).slice(1).toLowerCase();
  return extensions[extension] ?? (extension === '' ? undefined : table.output_format.kind.read(extension));
}

/** Returns the format of the outputs. @throws UsageProblem for an unknown format */
export function outputFormat(formatText: string | undefined, output: string | undefined): OutputFormat {
  if (formatText !== undefined && formatText !== '') {
    const format = table.output_format.kind.read(formatText);
    if (format !== undefined) return format;
    throw new UsageProblem(`unknown format '${formatText}'; allowed: ${table.output_format.kind.allowed}.`);
  }
  return (output === undefined ? undefined : formatOfName(output)) ?? 'pdf';
}
