/** What `platen account --help` says. */
export const accountHelp = `usage: platen account add NAME [--credits N|unlimited] [--operator] [flags]   make an account, print its key once
       platen account list [--json]                       every account, what it has left, its keys
       platen account change NAME [--operator on|off] [flags]
       platen account credits NAME [N|+N|-N|unlimited]    print the balance, after a change where one is given
       platen account key NAME [--name WHAT]              make one more key, print it once
       platen account key NAME --list                     its keys, revoked ones too
       platen account key NAME --revoke ID                a key that opens nothing any more
       platen account remove NAME                         with its keys, the records and logs of its jobs

flags of add and change ('none' takes a limit away):
  --refill N/day|N/month|none   balance each day or month of the calendar starts with
  --jobs-at-once N|none         jobs it may have under way
  --jobs-per-minute N|none      jobs it may begin within any minute
  --debug-log on|off            a debug log for each of its jobs, asked for or not

An account without --credits and --refill is unlimited. An operator sees every job, account and setting.
flag of all: --data DIR, the data folder, as for serve. It works while the service runs, and at once.`;
