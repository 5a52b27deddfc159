/** Aborting the work of a finishing thread ends the thread inside Electron. It must neither hang nor leave anything behind. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { loadPage } from '../../main/engine/loading/load-page.ts';
import type { Engine } from '../../main/engine/engine.ts';
import { defaultLimits } from '../../main/input/archive/limits.ts';
import { prepareSource } from '../../main/input/prepare-source.ts';
import type { Options } from '../../main/job/options.ts';
import { openFinisher, type Finisher } from '../../main/output/finish/finisher.ts';
import type { FinishTask } from '../../main/output/finish/finish-task.ts';
import { loadSharp } from '../../main/output/image/sharp.ts';
import type { Signer } from '../../main/output/output.ts';
import { produce } from '../../main/output/produce.ts';
import { openSigner } from '../../main/output/sign/signer.ts';
import { invoices } from '../support/output/invoice-xml.ts';
import { SigningFolder } from '../support/servers/signing.ts';
import { newRun, startEngine } from '../support/service/engine.ts';
import { waitUntil } from '../support/wait-until.ts';

const aborts = 200;
const threads = 2;

/** Returns the number of threads of this process; 0 on systems that do not list them. */
const countThreads = () => (process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0);

describe('Aborting the finishing of a document', () => {
  const signing = new SigningFolder();
  const files = join(tmpdir(), `platen-abort-${process.pid}`);
  let engine: Engine;
  let signer: Signer;
  let picture = '';
  before(async () => {
    engine = await startEngine();
    signer = await openSigner({
      certificates: new Map([['test', signing.certificate('Signer')]]),
      password: 'secret',
      timestampUrl: undefined,
      onExpiring() {},
    });
    const noise = { width: 1200, height: 1200, channels: 3 } as const;
    const pixels = randomBytes(noise.width * noise.height * noise.channels);
    const png = await loadSharp()(pixels, { raw: noise }).png().toBuffer();
    picture = `<img src="data:image/png;base64,${png.toString('base64')}" style="width: 4in">`;
    await writeFile(`${files}.xml`, invoices.BASIC ?? '');
    await writeFile(`${files}.png`, png);
  });
  after(async () => {
    signing[Symbol.dispose]();
    await engine[Symbol.asyncDispose]();
  });

  /** Returns the task of a finishing thread for a document that Chromium has printed. */
  async function taskFor(html: string, options: Partial<Options>, finisher: Finisher): Promise<FinishTask> {
    const tasks: FinishTask[] = [];
    const recording: Finisher = {
      ...finisher,
      finish(task, signal) {
        // The documents of a task move to the thread.
        tasks.push(structuredClone(task));
        return finisher.finish(task, signal);
      },
    };
    const run = newRun(html, options);
    const source = await prepareSource(run, defaultLimits);
    await engine.withWindow(run, source, async (window, limited) =>
      produce(await loadPage(window, source, limited), limited, {
        finisher: recording,
        maxOutputBytes: 1e9,
        signer,
      }),
    );
    return tasks[0] ?? assert.fail('the document was not finished');
  }

  /** Each kind of step, with documents that take a thread some tenths of a second. */
  const kinds = (): Readonly<Record<string, readonly [html: string, options: Partial<Options>]>> => {
    const text = `<html lang="en"><title>T</title>${'<h1>Heading</h1><p>Text of a paragraph. <a href="https://example.com/">link</a>'.repeat(900)}`;
    const table = `<table><caption>C</caption>${'<tr><th scope="row">A<td>1'.repeat(500)}</table>`;
    const upload = (ending: string) => ({ path: files + ending, name: `a${ending}`, size: 1 });
    return {
      'qpdf: encryption and linearisation': [text, { encrypt: true, user_password: 'u', linearize: true }],
      'PDF/A and PDF/UA': [text + table, { pdf_standard: ['pdfa-2u', 'pdfua-1'], tagged: true }],
      'e-invoice': [text, { invoice_xml: upload('.xml') }],
      'sharp: pictures': [
        picture.repeat(3),
        { convert_images_to_jpeg: 'all', jpeg_quality: 70, image_dpi: 100 },
      ],
      'headers, stamps and colours': [
        text,
        {
          header_html: '<p>H',
          footer_html: '<p>F',
          page_watermark: upload('.png'),
          page_background_color: 'ffeedd',
        },
      ],
      forms: [
        `<form>${'<input value="x"> <select><option>a</select>'.repeat(300)}</form>`,
        { enable_pdf_forms: true },
      ],
      signature: [text, { sign: true, signature_reason: 'R' }],
    };
  };

  test('at any moment ends its thread, and the next documents are finished', async () => {
    await using finisher = openFinisher(threads);
    const tasks: { readonly name: string; readonly task: FinishTask; readonly tookMs: number }[] = [];
    for (const [name, [html, options]] of Object.entries(kinds())) {
      const task = await taskFor(html, options, finisher);
      const start = performance.now();
      const { bytes } = await finisher.finish(structuredClone(task), new AbortController().signal);
      assert.ok(bytes.length > 1000, name);
      tasks.push({ name, task, tookMs: performance.now() - start });
    }
    const threadsBefore = countThreads();
    const memoryBefore = process.memoryUsage().rss;
    let aborted = 0;
    for (let turn = 0; turn < aborts; turn += 1) {
      const { name, task, tookMs } = tasks[turn % tasks.length] ?? assert.fail();
      // The moments are spread over the time of the task, and the last ones are beyond its end.
      const delayMs = ((turn / aborts) * 1.2 + 0.02 * Math.random()) * tookMs;
      const reason = new Error('aborted by the test');
      const controller = new AbortController();
      const timer = setTimeout(() => {
        controller.abort(reason);
      }, delayMs);
      // Another document is finished meanwhile in the other thread.
      const other =
        turn % 10 === 0 ? finisher.finish(structuredClone(task), new AbortController().signal) : undefined;
      const problem: unknown = await finisher.finish(structuredClone(task), controller.signal).then(
        () => undefined,
        (error: unknown) => error,
      );
      clearTimeout(timer);
      if (problem !== undefined) {
        assert.equal(problem, reason, name);
        aborted += 1;
      }
      if (other !== undefined) assert.ok((await other).bytes.length > 1000, name);
    }
    assert.ok(aborted > aborts / 2, `only ${aborted} were aborted`);
    await waitUntil('the end of the aborted threads', () => countThreads() <= threadsBefore + threads);
    for (const { name, task } of tasks)
      assert.ok(
        (await finisher.finish(structuredClone(task), new AbortController().signal)).bytes.length > 1000,
        name,
      );
    const grownBy = process.memoryUsage().rss - memoryBefore;
    assert.ok(grownBy < 500e6, `the memory has grown by ${Math.round(grownBy / 1e6)} MB`);
  });
});
