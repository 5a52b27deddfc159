/** What `platen config --help` says. */
export const configHelp = `usage: platen config check [--json] [flags of serve]   whether a start would succeed: every problem, and what to change
       platen config show [--json] [flags of serve]    every setting, its value, who decided it, what it is for
       platen config set NAME VALUE [NAME VALUE ...]   write it into config.json of the data folder
       platen config set NAME -                        the value comes on standard input, so that it is in no list of processes
       platen config set -                             a JSON object of settings comes there
       platen config unset NAME [NAME ...]             take it out: the default counts again

flag of set and unset: --data DIR, the data folder, as for serve. A setting that serve would refuse is refused here,
and so is one with which a start would fail. Settings are read as serve reads them: flags, environment, config.json.
Root works as the owner of the data folder.

exit code: 0; 1 when something beside the settings would stop a start; 2 when a setting is wrong.`;
