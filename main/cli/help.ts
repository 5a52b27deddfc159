/** `platen help`: lists the commands and the settings. */
import { environmentName, settingNames, table, type SettingRow } from '../settings/table.ts';

export function help(): Promise<number> {
  const settings = settingNames.map((name) => {
    const row: SettingRow = table[name];
    const defaultText = row.default ?? row.defaultDescription ?? '';
    return `  --${name.padEnd(16)} ${environmentName(name).padEnd(24)} ${row.description} [${defaultText}]`;
  });
  process.stdout.write(`usage: platen serve [flags]      run the service until Ctrl-C
       platen desktop [flags]    what a click runs: as serve, and a failed start shows a dialog
       platen convert ...        convert documents without a service: platen convert --help
       platen account ...        manage accounts, keys and credits: platen account --help
       platen self-test [--json] [flags]
                                 check that this installation works; exit code 1 if a check fails
       platen rehearse ...       compare the documents of two versions before an upgrade: platen rehearse --help
       platen verify RECIPE DOC  check whether a document is that of a recipe: platen verify --help
       platen node ...           list and drain the nodes that share a database: platen node --help
       platen upgrade --check    list what the first start of this version changes: platen upgrade --help
       platen service ...        install Platen as a system service: platen service --help
       platen config ...         check, show and change the settings: platen config --help

flags of serve and self-test, with their environment variables and [defaults]:
${settings.join('\n')}
`);
  return Promise.resolve(0);
}
