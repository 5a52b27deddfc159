/** What lies in the data folder of a running service, and after it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { convert, file, refusal } from '../support/convert.ts';
import { startService } from '../support/service.ts';

const mark = 'whale-song-4711';

/** Stores itself wherever a page can, prints itself, and looks like somebody's letter. */
const letter = `<title>${mark}</title><body>${mark}<img src="data:text/plain,${mark}"><script>
  localStorage.mark = sessionStorage.mark = document.cookie = '${mark}=${mark}';
  history.pushState({ mark: '${mark}' }, '', '#${mark}');
  indexedDB.open('${mark}').onupgradeneeded = ({ target }) =>
    target.result.createObjectStore('a').put('${mark}', '${mark}');
  console.log('${mark}');
</script>`;

/** A page that never ends: its renderer is ended at the job limit, as in a crash. */
const endless = `${letter}<script>for (;;);</script>`;

test('no part of a document stays on disk, even if its renderer was killed', async () => {
  await using service = await startService({ flags: ['--job-timeout', '5s'] });
  await convert(service, { file: file(letter, 'letter.html') });
  await convert(service, { text: letter, output_format: 'webp' });
  await convert(service, { text: letter, header_html: mark, user_password: mark });
  assert.match(await refusal(service, { text: endless }), /ran out of time/);
  await convert(service, { text: '<p>the next' });
  assert.deepEqual(filesWithMark(service.data), [], 'while it runs');
  await service.stop();
  assert.deepEqual(filesWithMark(service.data), [], 'when it has ended');
  assert.doesNotMatch(service.log(), new RegExp(mark));
});

/** In the texts' two usual codings. */
function filesWithMark(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  assert.ok(
    paths.some((path) => path.includes('browser')),
    'Chromium has written something',
  );
  return paths.filter((path) => {
    const bytes = readFileSync(path);
    return path.includes(mark) || bytes.includes(mark) || bytes.includes(Buffer.from(mark, 'utf16le'));
  });
}
