/** `platen config`: the settings as a start would read them, tried out and changed. */
import { text as textOf } from 'node:stream/consumers';
import { nearest } from '../fields/nearest.ts';
import { readWords } from './account/words.ts';
import { configHelp } from './config/help.ts';
import { withoutLineEnd } from './line-end.ts';
import { UsageProblem } from './usage-problem.ts';

type Action = (words: readonly string[]) => Promise<number>;

const actions: Readonly<Record<string, Action>> = { check, show, set, unset };

/** Resolves with the exit code. @throws UsageProblem, SettingProblem, Error with one sentence */
export async function config([name, ...words]: readonly string[]): Promise<number> {
  if (name === '--help' || words.includes('--help')) {
    process.stdout.write(`${configHelp}\n`);
    return 0;
  }
  const known = Object.keys(actions);
  if (name === undefined) throw new UsageProblem(`config: say what to do: ${known.join(', ')}.`);
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action !== undefined) return await action(words);
  const meant = nearest(name, known);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new UsageProblem(`'config ${name}' is not a command${hint} (known are ${known.join(', ')})`);
}

async function check(words: readonly string[]): Promise<number> {
  const { checkConfig } = await import('./config/check.ts');
  return await checkConfig(...asked(words));
}

async function show(words: readonly string[]): Promise<number> {
  const { showConfig } = await import('./config/show.ts');
  return showConfig(...asked(words));
}

/** Flags as `serve` has them, and --json. */
function asked(words: readonly string[]) {
  const flags = words.filter((word) => word !== '--json');
  const form = flags.length < words.length ? ('json' as const) : ('table' as const);
  return [{ flags, environment: process.env }, form] as const;
}

async function set(words: readonly string[]): Promise<number> {
  const { changeSettings, wantedInJson } = await import('./config/set.ts');
  const { alone, sources } = readChange(words);
  if (alone.length === 1 && alone[0] === '-')
    return await changeSettings(sources, wantedInJson(await textOf(process.stdin)));
  if (alone.length === 0 || alone.length % 2 > 0)
    throw new UsageProblem('usage: platen config set NAME VALUE [NAME VALUE ...] [--data DIR]');
  return await changeSettings(sources, await pairs(alone));
}

/** Of `-` there can be one: standard input has one end. */
async function pairs(words: readonly string[]): Promise<[string, string][]> {
  if (words.filter((word) => word === '-').length > 1)
    throw new UsageProblem('config set: one value can come on standard input; config set - takes several.');
  const found: [string, string][] = [];
  for (let index = 0; index < words.length; index += 2) {
    const value = words[index + 1] ?? '';
    found.push([words[index] ?? '', value === '-' ? withoutLineEnd(await textOf(process.stdin)) : value]);
  }
  return found;
}

async function unset(words: readonly string[]): Promise<number> {
  const { changeSettings } = await import('./config/set.ts');
  const { alone, sources } = readChange(words);
  if (alone.length === 0) throw new UsageProblem('usage: platen config unset NAME [NAME ...] [--data DIR]');
  return await changeSettings(
    sources,
    alone.map((name) => [name, null]),
  );
}

function readChange(words: readonly string[]) {
  const { alone, flags } = readWords(words, { data: 'value' });
  const data = flags.get('data');
  return {
    alone,
    sources: { flags: data === undefined ? [] : ['--data', data], environment: process.env },
  };
}
