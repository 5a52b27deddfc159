/** `platen help`: the commands and the settings, from their table. */
import { environmentName, settingNames, table, type SettingRow } from '../settings/table.ts';

export function help(): Promise<number> {
  const settings = settingNames.map((name) => {
    const row: SettingRow = table[name];
    const usual = row.default ?? row.defaultSays ?? '';
    return `  --${name.padEnd(16)} ${environmentName(name).padEnd(24)} ${row.says} [${usual}]`;
  });
  process.stdout.write(`usage: platen serve [flags]      run the service until Ctrl-C
       platen convert ...        documents without a service: platen convert --help
       platen account ...        accounts, keys and credits: platen account --help
       platen self-test [--json] [flags]
                                 prove that this installation works; exit code 1 when it does not
       platen service ...        install it as a service of this machine: platen service --help
       platen config ...         the settings, tried out and changed: platen config --help

flags of serve and self-test, with their environment variables and [defaults]:
${settings.join('\n')}
`);
  return Promise.resolve(0);
}
