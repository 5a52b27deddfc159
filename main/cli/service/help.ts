/** What `platen service --help` says. */
export const serviceHelp = `usage: platen service install [--user] [flags]   start Platen with this machine, nobody logged in, as a user of its own;
                                                 over an installed one: bring it up to date, keeping its settings
       platen service uninstall [--purge]        the data folder stays, unless --purge says otherwise
       platen service start | stop | restart     running jobs finish first, within 30 s
       platen service status [--json]            exit code 0 while it runs, 3 when it does not

flags of all:
  --name NAME       which one, where there are several [platen]
  --user            a service of you alone (systemd --user, a launch agent, a task at logon)
flags of install:
  --data DIR        its data folder [Linux: /var/lib/NAME, macOS: /Library/Application Support/Platen,
                    Windows: %ProgramData%\\Platen; with --user that of serve]
  --as USER         whom it runs as; made where missing [platen; macOS: _platen; Windows: LocalService]
  --writable DIR,.. folders besides the data folder it may write to
  --no-start        only install it
  --print           only show the file it would write (systemd unit, property list, task)
  any flag of serve (--port 9000, --network public): written into config.json of the data folder, where the console
                    and 'platen config' find it, and where it stays over the next installation

systemd on Linux, launchd on macOS, the Task Scheduler on Windows. Needs root or an administrator, except with --user.`;
