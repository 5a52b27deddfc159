/** `platen convert`: converts documents from a terminal, without a service or with a remote one. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { catchSignals, type Signals } from '../launch/signals.ts';
import { exitCodes } from './convert/exit-codes.ts';
import type { ItemInput } from './convert/inputs.ts';
import { prepare, type Prepared } from './convert/prepare.ts';
import { openProgressReporter } from './convert/progress/progress-reporter.ts';
import { runAndReport } from './convert/progress/run-with-progress.ts';
import { watchAndConvert } from './convert/watch.ts';
import { parseConvertArguments } from './convert/arguments.ts';
import { optionNames, table, type OptionName, type OptionRow } from '../job/options.ts';
import { table as settings, type SettingRow } from '../settings/table.ts';
import { flags, kebab, convertSettings, convertFlags, type ConvertFlag } from './convert/flags.ts';
import { lockDataFolder } from '../launch/data-folder-lock.ts';
import { convertVariable } from '../launch/messages.ts';
import { locateRuntime } from '../launch/runtime.ts';
import { existingFontEnvironment } from '../launch/font-folder.ts';
import { defaultDataFolder, fontFolders } from '../settings/data-folder.ts';
import { environmentForService } from '../settings/raw-settings.ts';
import type { ItemConverter } from './convert/converter.ts';
import { openLocal, type LocalOptions } from './convert/local.ts';
import { openRemote } from './convert/remote.ts';
import { openTemporaryFolder } from './temporary-folder.ts';

/**
 * Runs the command and resolves with the exit code (convert/exit-codes.ts).
 * @throws UsageProblem, SettingProblem, Error with a one-sentence message
 */
export async function convert(parameters: readonly string[]): Promise<number> {
  const parsed = parseConvertArguments(parameters);
  if (parsed.flags.has('help')) {
    process.stdout.write(convertHelp());
    return exitCodes.success;
  }
  // Ignores EPIPE: the process that reads the output may have exited.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  using signals = catchSignals();
  // For standard input, archives, and the data folder of the run's Electron process.
  await using folder = await openTemporaryFolder('convert');
  try {
    const prepared = await prepare(parsed, { folder: folder.path, signal: signals.stopSignal });
    return await convertPrepared(prepared, folder.path, signals);
  } catch (problem) {
    if (signals.stopSignal.aborted) return exitCodes.interrupted;
    throw problem;
  }
}

async function convertPrepared(prepared: Prepared, folder: string, signals: Signals): Promise<number> {
  const { items, withoutAssets } = prepared.plan;
  const progress = openProgressReporter(prepared.progressOptions);
  const [first] = withoutAssets;
  if (first !== undefined && !prepared.progressOptions.quiet)
    progress.log(
      `platen: ${first.name} may not load files of its folder, because that is your home folder, contains it or is a whole drive; to allow a folder use --root FOLDER.`,
    );
  const input = items.find((item) => item.input.kind === 'stdin')?.input;
  if (input?.kind === 'stdin') await storeStdin(input, signals.stopSignal);
  await using converter = openConverter(prepared, {
    folder,
    killSignal: signals.killSignal,
    onStderrLine: progress.log,
  });
  const run = { ...prepared, converter, folder, signal: signals.stopSignal, progress };
  return prepared.watch ? await watchAndConvert(run) : await runAndReport(items, run);
}

async function storeStdin(
  { path }: Extract<ItemInput, { kind: 'stdin' }>,
  signal: AbortSignal,
): Promise<void> {
  await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal });
}

// `platen convert --help`: the command's flags, then the options by group, then the settings.

export function convertHelp(): string {
  const convertFlagLines = Object.entries(convertFlags).map(([name, flag]: [string, ConvertFlag]) =>
    helpLine(name, flag.value ?? valueNames[flag.takes], flag.description),
  );
  const groups = [...new Set(optionNames.map((name) => table[name].group))];
  return `usage: platen convert INPUT [OUTPUT] [flags]
       platen convert INPUT... [--out-dir FOLDER] [flags]

INPUT is an HTML file, an archive of an HTML file with its resources, a folder of such files, a pattern, a URL, or -
for standard input. OUTPUT is a file, whose extension determines the format, or - for standard output. By default
each output is beside its input. With several inputs, inputs that are older than their outputs are skipped.

Exit codes: 0 success, 1 a fault of this program or machine, 2 an invalid command line, 3 an input that cannot be
converted, 4 a URL blocked or unreachable, 5 out of time or capacity, 6 a rejected account, 130 interrupted.

${convertFlagLines.join('\n')}

Options of the API, also in its spelling (--page_size for --page-size); --no-NAME turns a switch off.
${groups.map((group) => section(group)).join('')}
Settings, also as environment variables (such as PLATEN_WORKERS); --setting-NAME if an option has the same name:
${convertSettings.map(settingLine).join('\n')}
`;
}

function section(group: OptionRow['group']): string {
  const names = optionNames.filter((name) => table[name].group === group && flags.has(kebab(name)));
  const lines = names.filter((name) => flags.get(kebab(name))?.kind === 'option').map(optionLine);
  return lines.length === 0 ? '' : `\n${group}:\n${lines.join('\n')}\n`;
}

function optionLine(name: OptionName): string {
  const row: OptionRow = table[name];
  const takes = flags.get(kebab(name))?.takes ?? 'value';
  const file = flags.has(`${kebab(name)}-file`) ? ` Also --${kebab(name)}-file FILE.` : '';
  const defaultText = row.default === undefined || takes === 'switch' ? '' : ` [${row.default}]`;
  return helpLine(kebab(name), valueNames[takes], `${row.description}${file}${defaultText}`);
}

function settingLine(name: (typeof convertSettings)[number]): string {
  const row: SettingRow = settings[name];
  const flag = flags.get(name)?.kind === 'setting' ? name : `setting-${name}`;
  const defaultText = convertDefaults[name] ?? row.defaultDescription ?? row.default ?? '';
  return helpLine(flag, valueNames.value, `${row.description} [${defaultText}]`);
}

/** Defaults that differ from those of the service. */
const convertDefaults: Readonly<Partial<Record<string, string>>> = {
  data: 'a temporary folder',
  'log-level': 'error',
};

const valueNames = { switch: '', value: 'VALUE', path: 'FILE' } as const;

const column = 34;
const maxColumns = 110;

/** Returns a help entry, with the description wrapped in the second column. */
function helpLine(name: string, value: string, description: string): string {
  const head = `  --${name} ${value}`.trimEnd();
  const lines: string[] = [];
  let current = head.length < column - 1 ? head.padEnd(column) : `${head}\n${' '.repeat(column)}`;
  let length = column;
  for (const word of description.split(' ')) {
    if (length + word.length > maxColumns) {
      lines.push(current.trimEnd());
      current = ' '.repeat(column);
      length = column;
    }
    current += `${word} `;
    length += word.length + 1;
  }
  return [...lines, current.trimEnd()].join('\n');
}

// The converter of a run: a remote service, or a local Electron process. Locks the data folder if --data names it.

interface ItemConverterOptions extends Pick<LocalOptions, 'killSignal' | 'onStderrLine'> {
  /** The temporary folder of the run. */
  readonly folder: string;
}

/** Opens the converter. @throws Error with a one-sentence message if the runtime is missing or the data folder is in use */
function openConverter(
  { remote, settings, sources }: Prepared,
  { folder, killSignal, onStderrLine }: ItemConverterOptions,
): ItemConverter {
  if (remote !== undefined) return openRemote({ ...remote, folder, maxUpload: settings['max-upload'] });
  const lock = sources.hasNamedDataFolder ? lockDataFolder(settings.data) : undefined;
  const local = openLocal({
    runtime: locateRuntime(),
    hangTimeoutMs: settings['hang-timeout'],
    killSignal,
    onStderrLine,
    environment: {
      // The environment variables below may override this. It keeps log lines out of the command's output.
      PLATEN_LOG_LEVEL: 'error',
      ...sources.environment,
      ...environmentForService(sources),
      ...fontVariables({ settings, sources }),
      [convertVariable]: 'on',
    },
  });
  return {
    ...local,
    async [Symbol.asyncDispose]() {
      await local[Symbol.asyncDispose]();
      lock?.[Symbol.dispose]();
    },
  };
}

/** Returns environment variables that make the fonts of the data folder available, if that folder contains fonts. */
function fontVariables({
  settings,
  sources,
}: Pick<Prepared, 'settings' | 'sources'>): Record<string, string> {
  const { fonts } = fontFolders(sources.hasNamedDataFolder ? settings.data : defaultDataFolder());
  return existingFontEnvironment({ ...fontFolders(settings.data), fonts }, process.env);
}
