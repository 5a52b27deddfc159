/** `platen service install`: a service of this machine, or the next version of it. */
import { loadSettings } from '../../settings/load.ts';
import { settingNames } from '../../settings/table.ts';
import type { Words } from '../account/words.ts';
import { refuseClosed, refuseUnreadable, runAsService } from './as-service.ts';
import { prepareData } from './data-folder.ts';
import { isLow, keptPlan, refuseWithoutRights, settingsOf, withProgram } from './installation.ts';
import { hostOf } from './hosts.ts';
import { planOf, whichService, type KeptPlan } from './plan.ts';
import { startAndWait } from './run.ts';
import type { Identity, ServiceHost } from './service-host.ts';

type Changes = Readonly<Record<string, string>>;

interface Target {
  readonly host: ServiceHost;
  readonly plan: KeptPlan;
}

/** Resolves with the exit code. @throws UsageProblem, SettingProblem, Error with one sentence */
export async function installService(words: Words): Promise<number> {
  const host = hostOf(process.platform);
  const which = whichService(words);
  const kept = await keptPlan(host, which);
  const plan = planOf(words, { which, kept, usual: host.usual(which) });
  const changes = changesIn(words, plan);
  const target = { host, plan };
  if (words.flags.has('print')) {
    process.stdout.write(host.define(withProgram(plan, portOf(plan, changes))));
    return 0;
  }
  await refuseWithoutRights(host, which);
  const identity = await prepare(target);
  if (words.flags.has('writable'))
    for (const folder of plan.writable) await refuseClosed(folder, plan.as, identity);
  const code = await writeSettings(target, identity, changes);
  if (code !== 0) return code;
  await host.install(withProgram(plan, portOf(plan, {})));
  say(`${plan.name} is ${kept === undefined ? 'installed' : 'brought up to date'}.`);
  const remains = await host.afterwards?.(plan);
  if (remains !== undefined) say(remains);
  return words.flags.has('no-start') ? 0 : await startAndWait(target, 'restart');
}

/** Settings by their names, as they are to stand in config.json. @throws SettingProblem for what `serve` would refuse */
function changesIn({ flags }: Words, { data }: KeptPlan): Changes {
  const names = settingNames.filter((name) => name !== 'data' && flags.has(name));
  const changes = Object.fromEntries(names.map((name) => [name, flags.get(name) ?? '']));
  const asFlags = Object.entries(changes).flatMap(([name, text]) => [`--${name}`, text]);
  loadSettings({ flags: ['--data', data, ...asFlags], environment: {}, config: () => [] });
  return changes;
}

function portOf(plan: KeptPlan, { port }: Changes): number {
  return port === undefined ? settingsOf(plan).port : Number(port);
}

/** A user, a program he can run and a folder of his. */
async function prepare({ host, plan }: Target): Promise<Identity | undefined> {
  const identity = await host.ensureUser(plan);
  await refuseUnreadable(withProgram(plan, 0).reads, plan.as, identity);
  await prepareData(plan, identity);
  await refuseClosed(plan.data, plan.as, identity);
  await host.giveData?.(plan);
  return identity;
}

/** By our own command line, as the user who will read them. */
async function writeSettings(
  { host, plan }: Target,
  identity: Identity | undefined,
  changes: Changes,
): Promise<number> {
  const now = settingsOf(plan);
  const missing = Object.entries(host.settings).filter(([name]) => now[name as 'log-file'] === undefined);
  const wanted = { ...Object.fromEntries(missing), ...changes };
  if (Object.keys(wanted).length === 0) return 0;
  const ended = await runAsService(['config', 'set', '-', '--data', plan.data], {
    identity,
    input: JSON.stringify(wanted),
    lowPort: isLow(portOf(plan, changes)),
  });
  if (ended.code !== 0) process.stderr.write(ended.err);
  return ended.code ?? 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
