/** The contents of the data folder after conversions, while the service runs and after it has stopped. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { convert, htmlFile, refusal } from '../../support/service/convert.ts';
import { readUnlessLocked } from '../../support/service/data-files.ts';
import { startService } from '../../support/service/service.ts';

const mark = 'whale-song-4711';

/** A document that writes a mark to every storage of the browser and to the console. */
const letter = `<title>${mark}</title><body>${mark}<img src="data:text/plain,${mark}"><script>
  localStorage.mark = sessionStorage.mark = document.cookie = '${mark}=${mark}';
  history.pushState({ mark: '${mark}' }, '', '#${mark}');
  indexedDB.open('${mark}').onupgradeneeded = ({ target }) =>
    target.result.createObjectStore('a').put('${mark}', '${mark}');
  console.log('${mark}');
</script>`;

/** A page that never finishes, so that the service kills its renderer at the job timeout. */
const endless = `${letter}<script>for (;;);</script>`;

test('no part of a document remains on disk, even if its renderer was killed', async () => {
  await using service = await startService({ flags: ['--job-timeout', '5s'] });
  await convert(service, { file: htmlFile(letter, 'letter.html') });
  await convert(service, { text: letter, output_format: 'webp' });
  await convert(service, { text: letter, header_html: mark, user_password: mark });
  assert.match(await refusal(service, { text: endless }), /ran out of time/);
  await convert(service, { text: '<p>the next' });
  assert.deepEqual(filesWithMark(service.data), [], 'while the service runs');
  await service.stop();
  assert.deepEqual(filesWithMark(service.data), [], 'after the service has stopped');
  assert.doesNotMatch(service.log(), new RegExp(mark));
});

/** Returns the paths of files whose name or content contains the mark, in UTF-8 or UTF-16. */
function filesWithMark(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  assert.ok(
    paths.some((path) => path.includes('browser')),
    'Chromium has written no files, so the search proves nothing',
  );
  return paths.filter((path) => {
    const bytes = readUnlessLocked(path);
    return path.includes(mark) || bytes.includes(mark) || bytes.includes(Buffer.from(mark, 'utf16le'));
  });
}
