/** Stories about results: comparison, links, the code sample, and the list of jobs. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import AdmZip from 'adm-zip';
import { editor, openView, setOption, waitForText, writeHtml } from '../../support/console/console-page.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { submitted } from '../../support/service/asynchronous-job.ts';
import { demo } from '../../support/service/convert.ts';
import { temporaryFolder } from '../../support/service/service.ts';
import type { Story } from './story.ts';

const compared: Story = [
  'a comparison of two runs lists the pages that differ, and marks the differences',
  async ({ page }) => {
    await writeHtml(page, twoPages('100 €'));
    await page.getByLabel('Page number, 1 to 2').fill('2');
    await page.keyboard.press('Enter');
    await waitForText(page, 'It costs 100 €.');
    await writeHtml(page, twoPages('120 €'));
    await waitForText(page, 'It costs 120 €.');
    await page.getByRole('button', { name: 'Compare runs' }).and(page.locator(':enabled')).click();
    await page.getByRole('status').getByText('1 of 2 pages differ').waitFor();
    await page.getByText('1 option differs').waitFor();
    await page.getByRole('button', { name: 'Next difference (N)' }).click();
    await page.locator('.sheet[data-page="2"] .compare-badge[data-kind=differs]').first().waitFor();
    await page.waitForFunction(isMarked);
    assert.equal(await page.locator('.sheet[data-page="1"] .compare-marks').count(), 0);
  },
];

/** Runs in the page: returns whether differences are marked on a small part of the second page. */
function isMarked(): boolean {
  const marks = document.querySelector<HTMLCanvasElement>('.sheet[data-page="2"] canvas.compare-marks');
  const pixels = marks?.getContext('2d')?.getImageData(0, 0, marks.width, marks.height).data ?? [];
  let marked = 0;
  for (let at = 3; at < pixels.length; at += 4) if ((pixels[at] ?? 0) > 0) marked += 1;
  return marked > 20 && marked < pixels.length / 40;
}

function twoPages(price: string): string {
  return `<h1>The cover</h1><p style="break-before: page">It costs ${price}.</p>`;
}

const linked: Story = [
  'an internal link is labelled with its text, and a click on the link shows its target',
  async ({ page }) => {
    await writeHtml(page, '<a href="#end">To the end</a><p id="end" style="break-before: page">The end</p>');
    await waitForText(page, 'To the end');
    const link = await page.getByRole('button', { name: 'To the end' }).boundingBox();
    assert.ok(link);
    await page.mouse.click(link.x + link.width / 2, link.y + link.height / 2);
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[aria-label="Page number, 1 to 2"]')?.value === '2',
    );
  },
];

const copied: Story = [
  'a copied curl command runs in a shell, and creates the same document',
  async ({ page, clipboard }) => {
    await writeHtml(page, `<h1>It's "quoted" & $HOME</h1>`);
    await waitForText(page, /It's "quoted"/);
    await setOption(page, 'page_size', 'A5');
    await page.getByRole('tab', { name: 'Code' }).click();
    await page.getByRole('radio', { name: 'curl' }).click();
    await page.getByLabel('Account', { exact: true }).fill('boss');
    await page.getByLabel('Key', { exact: true }).fill('key');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const command = await clipboard();
    assert.match(command, /^curl /);
    // Windows has no POSIX shell that could run the command.
    if (process.platform !== 'win32') assert.match(await documentOf(command), /It's "quoted" & \$HOME/);
  },
];

/** Runs the command in an empty folder and returns the text of the resulting document. */
async function documentOf(command: string): Promise<string> {
  const folder = temporaryFolder();
  try {
    await promisify(execFile)('sh', ['-c', command], { cwd: folder });
    const [made = ''] = readdirSync(folder);
    return pdfText(readFileSync(join(folder, made)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const recorded: Story = [
  'a run is listed among the jobs, opens with its explanation, and can be repeated unchanged',
  async ({ page }) => {
    await setOption(page, 'tag', 'of the story');
    await page.getByRole('tab', { name: 'Input' }).click();
    await writeHtml(page, '<h1>For the record</h1>');
    await waitForText(page, 'For the record');
    await openView(page, 'Jobs');
    await page.getByRole('searchbox', { name: 'Search tag, ID or message' }).fill('of the story');
    const jobs = page.getByRole('table', { name: 'Jobs, newest first' }).getByRole('row');
    await jobs
      .filter({ hasText: 'of the story' })
      .filter({ hasText: 'Converted' })
      .first()
      .getByRole('link')
      .click();
    const pane = page.getByRole('complementary');
    await pane.getByRole('heading', { name: /Findings/ }).waitFor();
    await pane.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('The form contains the values of the original job.').waitFor();
    assert.match(await editor(page, 'HTML').innerText(), /For the record/);
    await waitForText(page, 'For the record');
  },
];

const asynchronous: Story = [
  'an asynchronous job can be canceled while it runs, and its output can be downloaded',
  async ({ page, url, download }) => {
    const done = `done ${Date.now()}`;
    const canceled = `stopped ${Date.now()}`;
    await submitted({ url }, demo, { text: '<h1>For later</h1>', tag: done });
    const slow = { text: '<script></script>', javascript_delay: 20_000, tag: canceled };
    await submitted({ url }, demo, slow);
    await openView(page, 'Jobs');
    const jobs = page.getByRole('table', { name: 'Jobs, newest first' }).getByRole('row');
    const pane = page.getByRole('complementary');
    const open = async (tag: string, outcome: string) => {
      await page.getByRole('searchbox', { name: 'Search tag, ID or message' }).fill(tag);
      await jobs.filter({ hasText: tag }).filter({ hasText: outcome }).getByRole('link').click();
    };
    await open(canceled, 'Running');
    await pane.getByRole('button', { name: 'Cancel job' }).click();
    await pane.getByText('Canceled', { exact: true }).waitFor();
    await pane.getByRole('button', { name: 'Cancel job' }).waitFor({ state: 'detached' });
    await open(done, 'Converted');
    assert.equal(pdfText(await download()), 'For later');
  },
];

const searched: Story = [
  'the search field of the jobs keeps what is typed while an earlier text takes effect',
  async ({ page }) => {
    await openView(page, 'Jobs');
    const field = page.getByRole('searchbox', { name: 'Search tag, ID or message' });
    // Types the second text when the first one has just taken effect, before the interface has processed that.
    const typed = await field.evaluate(async (input: HTMLInputElement) => {
      const native = window.setTimeout.bind(window);
      const pause = (ms: number) => new Promise((resolve) => native(resolve, ms));
      const type = (text: string) => {
        input.value = text;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      };
      const debounced: (() => void)[] = [];
      window.setTimeout = ((callback: () => void, ms?: number) =>
        ms === 250 ? debounced.push(callback) : native(callback, ms)) as typeof setTimeout;
      type('earlier');
      while (debounced.length === 0) await pause(5);
      window.setTimeout = native;
      debounced.at(-1)?.();
      type('later');
      await pause(200);
      return input.value;
    });
    assert.equal(typed, 'later');
  },
];

const batch: Story = [
  'the list of jobs shows how far a batch is, and how many of its rows failed; its archive can be downloaded',
  async ({ page, url, download }) => {
    const tag = `batch ${Date.now()}`;
    const rows = new File(['number,name\n1,Ann\n2\n3,Cyd\n4,Dan\n5,Eve\n'], 'rows.csv');
    const text = '<h1>{{number}} {{name}}</h1><script></script>';
    await submitted({ url }, demo, { text, rows, javascript_delay: 4000, tag });
    await openView(page, 'Jobs');
    await page.getByRole('searchbox', { name: 'Search tag, ID or message' }).fill(tag);
    const row = page
      .getByRole('table', { name: 'Jobs, newest first' })
      .getByRole('row')
      .filter({ hasText: tag });
    await row.getByText(/^[1-3] of 5 converted/).waitFor();
    await row.getByText('4 of 5 converted, 1 failed').waitFor();
    await row.getByRole('link').getByText('Template').click();
    const pane = page.getByRole('complementary');
    await pane.getByText('4 of 5 converted, 1 failed').waitFor();
    const documents = new AdmZip(await download()).getEntries().filter(({ name }) => name.endsWith('.pdf'));
    assert.deepEqual(
      documents.map((entry) => pdfText(entry.getData())),
      ['1 Ann', '3 Cyd', '4 Dan', '5 Eve'],
    );
  },
];

const encrypted: Story = [
  'a PDF with an owner password opens without a password and is marked as encrypted; the next PDF without one is not',
  async ({ page }) => {
    const badge = page.locator('.viewer-lock');
    await setOption(page, 'owner_password', 'the-owner');
    await page.getByRole('tab', { name: 'Input' }).click();
    await writeHtml(page, '<h1>For everyone to read</h1>');
    await waitForText(page, 'For everyone to read');
    await badge.getByText('Encrypted').waitFor();
    await setOption(page, 'owner_password', '');
    await page.getByRole('tab', { name: 'Input' }).click();
    await writeHtml(page, '<h1>Not protected</h1>');
    await waitForText(page, 'Not protected');
    await badge.waitFor({ state: 'detached' });
  },
];

export const resultStories: readonly Story[] = [
  compared,
  linked,
  copied,
  recorded,
  asynchronous,
  searched,
  batch,
  encrypted,
];
