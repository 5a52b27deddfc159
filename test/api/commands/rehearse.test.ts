/** `platen rehearse`: samples and kept requests are converted by two installations and compared. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { basic } from '../../support/service/job-record.ts';
import { convert, send } from '../../support/service/convert.ts';
import { project, runPlaten, startService, temporaryFolder } from '../../support/service/service.ts';

interface Report {
  readonly samples: readonly {
    readonly name: string;
    readonly verdict: string;
    readonly pages: readonly { readonly images: { readonly overlay?: string } }[];
  }[];
}

const rehearse = (words: readonly string[]) => runPlaten(['rehearse', ...words]);

describe('platen rehearse', () => {
  const folder = temporaryFolder();
  const samples = join(folder, 'samples');
  const otherInstallation = join(folder, 'other');
  let reports = 0;
  before(() => {
    mkdirSync(join(samples, 'letters'), { recursive: true });
    writeFileSync(
      join(samples, 'letters', 'letter.html'),
      '<link rel="stylesheet" href="letter.css"><h1>Dear</h1>',
    );
    writeFileSync(join(samples, 'letters', 'letter.css'), 'h1 { color: #c00 }');
    writeFileSync(join(samples, 'paper.html'), '<style>@page { size: A5 }</style><p>own paper');
    // An installation with other defaults: with this alias, pages do not choose their paper.
    mkdirSync(join(otherInstallation, 'build'), { recursive: true });
    const program = pathToFileURL(join(project, '.build', 'platen.cjs')).href;
    writeFileSync(
      join(otherInstallation, 'build', 'platen.mjs'),
      `process.env.PLATEN_ALIAS = 'pdfcrowd'; await import(${JSON.stringify(program)});`,
    );
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const newReport = () => join(folder, `report-${(reports += 1)}`);
  const readReport = (report: string) =>
    JSON.parse(readFileSync(join(report, 'report.json'), 'utf8')) as Report;
  const verdictsIn = (report: string) =>
    Object.fromEntries(readReport(report).samples.map(({ name, verdict }) => [name, verdict]));

  test('finds no difference between two services of the same installation', async () => {
    const report = newReport();
    const { code, out, err } = await rehearse(['--with', project, '--samples', samples, '--report', report]);
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^Comparing Platen .* with Platen .*: 2 samples\.\n/);
    assert.match(out, /\nNo document differs\.\n$/);
    assert.deepEqual(verdictsIn(report), { 'letters/letter.html': 'identical', 'paper.html': 'identical' });
  });

  test('reports the pages that another installation prints differently', async () => {
    const report = newReport();
    const { code, out } = await rehearse([
      '--with',
      otherInstallation,
      '--samples',
      samples,
      '--report',
      report,
    ]);
    assert.equal(code, 1, out);
    const { samples: compared } = readReport(report);
    const paper = compared.find(({ name }) => name === 'paper.html');
    assert.equal(paper?.verdict, 'differs');
    const overlay = readFileSync(join(report, paper.pages[0]?.images.overlay ?? ''));
    assert.equal(overlay.toString('latin1', 1, 4), 'PNG');
    assert.match(readFileSync(join(report, 'index.html'), 'utf8'), /paper\.html/);
  });

  test('converts the requests that a service has kept, encrypted, for the chosen accounts', async () => {
    const key = join(folder, 'key');
    writeFileSync(key, 'k'.repeat(44), { mode: 0o600 });
    const data = join(folder, 'data');
    mkdirSync(data);
    writeFileSync(join(data, 'config.json'), JSON.stringify({ 'keep-inputs': `billing=${key}` }));
    const flags = ['--accounts', 'billing:b,others:o'];
    {
      await using service = await startService({ data, flags });
      const fields = {
        text: '<h1>Kept</h1>',
        attachment: new File(['a;b'], 'a.csv'),
        user_password: 'secret',
      };
      const kept = await send(service, fields, { authorization: basic('billing', 'b') });
      assert.equal(kept.status, 200);
      const other = await send(service, { text: 'other' }, { authorization: basic('others', 'o') });
      assert.equal(other.status, 200);
      const failed = await send(service, { text: '' }, { authorization: basic('billing', 'b') });
      assert.equal(failed.status, 400);
      await convert(service, { text: 'demo' });
      const report = newReport();
      const { code, err } = await rehearse(['--with', project, '--data', data, '--report', report]);
      assert.deepEqual([code, err], [0, '']);
      const { samples: compared } = readReport(report);
      assert.equal(compared.length, 1);
      assert.match(compared[0]?.name ?? '', /^billing \w{26}$/);
      assert.equal(compared[0]?.verdict, 'identical');
    }
  });

  test('explains what is wrong with its arguments', async () => {
    assert.match((await rehearse(['--report', 'x'])).err, /needs two flags/);
    const none = await rehearse(['--with', samples, '--report', newReport()]);
    assert.equal(none.code, 2);
    assert.match(none.err, /is not an installation of Platen: it must be the folder of a package/);
    const used = await rehearse(['--with', project, '--samples', samples, '--report', samples]);
    assert.match(used.err, /is not empty; give --report a new folder/);
    const empty = await rehearse([
      '--with',
      project,
      '--data',
      join(folder, 'none'),
      '--report',
      newReport(),
    ]);
    assert.match(empty.err, /there are no kept requests in .*; give a folder with --samples/);
    writeFileSync(join(otherInstallation, 'broken.mjs'), 'throw new Error("cannot run")');
    const broken = await rehearse([
      '--with',
      join(otherInstallation, 'broken.mjs'),
      '--samples',
      samples,
      '--report',
      newReport(),
    ]);
    assert.equal(broken.code, 1);
    assert.match(broken.err, /the service of .*broken\.mjs did not start: .*cannot run/);
  });
});
