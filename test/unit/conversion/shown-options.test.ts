import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownOptions, shownValues } from '../../../main/conversion/job-log.ts';
import { optionNames, table, type OptionRow } from '../../../main/job/options.ts';
import { readJob } from '../../../main/job/read-job.ts';
import { formOf, limits } from '../job/forms.ts';

function shownOf(fields: Readonly<Record<string, string>>, isPdfcrowdAlias = false) {
  const job = readJob(formOf({ text: '<p>', ...fields }), { ...limits, isPdfcrowdAlias });
  return new Map(
    shownOptions(job, isPdfcrowdAlias).map(({ name, value, from }) => [name, `${from} ${value}`]),
  );
}

test('each option is shown with its source: as written in the request, or with the default of the API or its alias', () => {
  const shown = shownOf({ margin_top: ' 10MM' });
  assert.equal(shown.get('margin_top'), 'request  10MM');
  assert.equal(shown.get('margin_left'), 'default 0.4in');
  assert.equal(shown.has('page_width'), false);
  assert.equal(shown.get('verify_ssl_certificates'), 'default true');
  assert.equal(shownOf({}, true).get('verify_ssl_certificates'), 'alias false');
  assert.equal(shownOf({ viewport_width: '700' }).get('content_viewport_width'), 'request 700');
});

test('contents are shown by their length, and files by name and size', () => {
  const text = 'x'.repeat(1234);
  assert.equal(shownOf({ text }).get('text'), 'request (1,234 characters)');
  for (const name of ['header_html', 'custom_css', 'custom_javascript', 'on_load_javascript', 'data_string'])
    assert.match(shownOf({ [name]: '{}' }).get(name) ?? '', /^request \(2 characters\)$/, name);
  const upload = { path: '/jobs/1/part', name: 'page.html', size: 12 };
  assert.equal(shownValues(table.file, [upload]), 'page.html (12 bytes)');
});

test('passwords, certificates, cookies, users and credentials in URLs are not shown', () => {
  const rows: readonly (readonly [string, OptionRow])[] = optionNames.map((name) => [name, table[name]]);
  const secretName = /password|cookie|certificate$|user_name|http_header$/;
  for (const [name, row] of rows.filter(([option]) => secretName.test(option)))
    assert.equal(shownValues(row, ['marker']), '***', name);
  for (const [name, row] of rows.filter(([option]) => option.endsWith('url')))
    assert.equal(
      shownValues(row, ['http://me:marker@a.example/?token=marker']),
      'http://a.example/?token=***',
      name,
    );
});

test('an error about a URL does not repeat its credentials', () => {
  for (const [name, value] of [
    ['url', 'ftp://me:marker@a.example/'],
    ['header_url', 'ftp://me:marker@a.example/'],
    ['http_proxy', 'http://me:marker@a.example:80'],
    ['https_proxy', 'me:marker@a.example:80'],
  ] as const)
    assert.throws(
      () => readJob(formOf({ text: '<p>', [name]: value }), limits),
      (problem: Error) => problem.message.includes('a.example') && !problem.message.includes('marker'),
      name,
    );
});
