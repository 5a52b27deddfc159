/** What was written on the command line -> all that a run needs, known to be sound before anything is started. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings, type LoadedSettings } from '../../settings/load.ts';
import { UsageProblem } from '../usage-problem.ts';
import { rootOf } from './beside.ts';
import { checkForm, readForm, type Form } from './form.ts';
import { formatOfName, outputFormat } from './formats.ts';
import { findInputs } from './inputs.ts';
import type { OwnName } from './own-flags.ts';
import { planItems, type Plan } from './plan.ts';
import type { Manner } from './teller.ts';
import type { ConvertWords } from './words.ts';

export interface Prepared {
  readonly plan: Plan;
  /** Looks for the inputs anew. @throws UsageProblem */
  readonly replan: () => Promise<Plan>;
  readonly form: Form;
  readonly settings: LoadedSettings;
  /** As the settings were written, for a process of ours. */
  readonly sources: Sources;
  readonly remote?: { readonly url: string; readonly account: string };
  readonly manner: Manner;
  readonly force: boolean;
  readonly watch: boolean;
}

export interface Sources {
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The data folder was named, and others may use it. */
  readonly ownData: boolean;
}

interface Circumstances {
  /** The run's own. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** @throws UsageProblem, SettingProblem, the signal's reason */
export async function prepare(words: ConvertWords, { folder, signal }: Circumstances): Promise<Prepared> {
  const { own, options } = words;
  const sources = sourcesOf(words, folder);
  const settings = loadSettings(sources);
  const { inputs, output } = splitWords(words);
  const format = outputFormat(options.get('output_format')?.text, output);
  const form = await readForm(options, format);
  const remote = remoteOf(words);
  const wishes = {
    ...{ output, outDir: own.get('out-dir'), format, debugLog: own.get('debug-log') },
    root: own.has('no-root') ? ('none' as const) : rootOf(own.get('root')),
  };
  const replan = async () =>
    planItems(await findInputs(inputs, { stdin: join(folder, 'input'), signal }), wishes);
  const plan = await replan();
  const isOfAddresses = plan.items.every(({ input }) => input.kind === 'url');
  const limits = { ...settings, ...(remote && { 'job-timeout': Infinity }) };
  await checkForm(form, limits, isOfAddresses ? 'url' : 'text');
  refuseOutput(plan, own);
  const on = (name: OwnName) => own.has(name);
  const manner = { quiet: on('quiet'), verbose: on('verbose'), json: on('json') };
  return {
    ...{ plan, replan, form, settings, sources, force: on('force'), watch: on('watch') },
    manner: { ...manner, terminal: process.stderr.isTTY },
    ...(remote && { remote }),
  };
}

/** Beside a service that runs: a data folder of its own, unless one is named. */
function sourcesOf({ settings }: ConvertWords, folder: string): Sources {
  const { PLATEN_DATA: _data, PLATEN_ACCOUNT: _account, ...environment } = process.env;
  const ownData = settings.some((flag) => flag.startsWith('--data='));
  return {
    environment,
    ownData,
    flags: ownData ? settings : [...settings, `--data=${join(folder, 'data')}`],
  };
}

/** With two words the second may be the output: `-`, or a name with the extension of a format. */
function splitWords({ alone, own }: ConvertWords): { inputs: readonly string[]; output: string | undefined } {
  if (alone.length === 0)
    throw new UsageProblem('say what to convert: platen convert page.html page.pdf (--help tells more).');
  const named = own.get('output');
  const last = alone.at(-1) ?? '';
  const isOutput = alone.length > 1 && (last === '-' || formatOfName(last) !== undefined || isDevice(last));
  if (named !== undefined || !isOutput || own.has('out-dir')) return { inputs: alone, output: named };
  if (alone.length > 2)
    throw new UsageProblem(
      `${alone.length - 1} inputs cannot become one output, '${last}'; say --out-dir FOLDER, or nothing: each output is beside its input then.`,
    );
  return { inputs: alone.slice(0, 1), output: last };
}

/** Or a pipe that somebody reads. */
function isDevice(path: string): boolean {
  try {
    const facts = statSync(path);
    return !facts.isFile() && !facts.isDirectory();
  } catch {
    return false;
  }
}

function refuseOutput({ items }: Plan, own: ConvertWords['own']): void {
  const toStandardOutput = items.some(({ output }) => output === undefined);
  if (own.has('watch') && items.some(({ input }) => input.kind !== 'file'))
    throw new UsageProblem('--watch looks at files and folders; addresses and standard input cannot change.');
  if (!toStandardOutput) return;
  if (own.has('json')) throw new UsageProblem('--json and the output cannot both go to standard output.');
  if (own.has('watch')) throw new UsageProblem('--watch needs a file as its output.');
  if (process.stdout.isTTY)
    throw new UsageProblem('a document is not written to a terminal; name a file, or say > FILE.');
}

function remoteOf({ own, settings }: ConvertWords): Prepared['remote'] {
  const [url, account] = [own.get('remote'), own.get('account') ?? process.env.PLATEN_ACCOUNT ?? ''];
  if (url === undefined) {
    if (own.has('account')) throw new UsageProblem('--account is of a service; --remote URL says which.');
    if (settings.some((flag) => flag.startsWith('--max-upload=')))
      throw new UsageProblem(
        '--max-upload is of what is sent to a service; here nothing is without --remote.',
      );
    return undefined;
  }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new UsageProblem(`--remote: '${url}' is not a complete http:// or https:// address.`);
  const { username, origin, pathname } = new URL(url);
  if (username !== '')
    throw new UsageProblem('--remote: give user and key by PLATEN_ACCOUNT or --account, not in the address.');
  if (!/^[^:]+:./.test(account))
    throw new UsageProblem('--remote needs an account, as user:key in PLATEN_ACCOUNT or behind --account.');
  const path = pathname.replace(/\/+$/, '').replace(/\/convert(\/[\w.]+)?$/, '');
  return { url: `${origin}${path}`, account };
}
