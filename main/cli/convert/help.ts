/** `platen convert --help`: its own flags, then the options in the groups of their table, then the settings. */
import { optionNames, table, type OptionName, type OptionRow } from '../../job/options.ts';
import { table as settings, type SettingRow } from '../../settings/table.ts';
import { flags, kebab, settingsOfUse } from './flags.ts';
import { ownFlags, type OwnFlag } from './own-flags.ts';

export function convertHelp(): string {
  const own = Object.entries(ownFlags).map(([name, flag]: [string, OwnFlag]) =>
    line(name, flag.value ?? valueNames[flag.takes], flag.says),
  );
  const groups = [...new Set(optionNames.map((name) => table[name].group))];
  return `usage: platen convert INPUT [OUTPUT] [flags]
       platen convert INPUT... [--out-dir FOLDER] [flags]

INPUT is an HTML file, an archive of one with its files, a folder of such, a pattern, an address, or - for
standard input. OUTPUT is a file, whose extension says the format, or - for standard output. Without it each
output is beside its input. Of several inputs those are left out that have an output newer than themselves.

Exit codes: 0 all is well, 1 a fault of this program or machine, 2 the command line, 3 an input that cannot be
converted, 4 an address refused or not reached, 5 out of time or room, 6 the account, 130 interrupted.

${own.join('\n')}

Options are those of the API, also as they are written there (--page_size); --no- turns one off.
${groups.map((group) => section(group)).join('')}
Settings, also in the environment (PLATEN_WORKERS and so on); --setting-NAME where an option has the name:
${settingsOfUse.map(settingLine).join('\n')}
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
  const usual = row.default === undefined || takes === 'switch' ? '' : ` [${row.default}]`;
  return line(kebab(name), valueNames[takes], `${row.says}${file}${usual}`);
}

function settingLine(name: (typeof settingsOfUse)[number]): string {
  const row: SettingRow = settings[name];
  const flag = flags.get(name)?.kind === 'setting' ? name : `setting-${name}`;
  const usual = usualHere[name] ?? row.defaultSays ?? row.default ?? '';
  return line(flag, valueNames.value, `${row.says} [${usual}]`);
}

/** Other defaults than those of the service. */
const usualHere: Readonly<Partial<Record<string, string>>> = {
  data: 'a temporary one',
  'log-level': 'error',
};

const valueNames = { switch: '', value: 'VALUE', path: 'FILE' } as const;

const column = 34;
const widest = 110;

/** What does not fit goes on below itself. */
function line(name: string, value: string, says: string): string {
  const head = `  --${name} ${value}`.trimEnd();
  const lines: string[] = [];
  let current = head.length < column - 1 ? head.padEnd(column) : `${head}\n${' '.repeat(column)}`;
  let length = column;
  for (const word of says.split(' ')) {
    if (length + word.length > widest) {
      lines.push(current.trimEnd());
      [current, length] = [' '.repeat(column), column];
    }
    current += `${word} `;
    length += word.length + 1;
  }
  return [...lines, current.trimEnd()].join('\n');
}
