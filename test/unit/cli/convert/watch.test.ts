import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchErrorHandler } from '../../../../main/cli/convert/watch.ts';

const problem = (code: string) => Object.assign(new Error(code), { code });

test('an exhausted limit of file watches is reported once, with the system setting to raise', () => {
  const lines: string[] = [];
  const onError = watchErrorHandler((line) => lines.push(line));
  for (const code of ['EACCES', 'ENOENT', 'ENOSPC', 'ENOSPC', 'EMFILE']) onError(problem(code));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /^platen: .*\(ENOSPC\).*fs\.inotify\.max_user_watches=/);
  watchErrorHandler((line) => lines.push(line))(problem('EMFILE'));
  assert.match(lines[1] ?? '', /\(EMFILE\).*max_user_instances/);
});
