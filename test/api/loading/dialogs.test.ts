/** Dialogs that a page opens. No user sees the dialogs, so the debug log lists them with the answers. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { LogEvent } from '../../../main/log/events.ts';
import { send } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

let service: Service;
before(async () => (service = await defaultService()));

/** Converts a page, and returns the text of the document and the note about dialogs in the debug log. */
async function converted(text: string) {
  const { headers, body } = await send(service, { text, debug_log: true });
  const link = headers.get('x-service-debug-log') ?? '';
  const response = await fetch(link, { headers: { accept: 'application/json' } });
  const { events } = (await response.json()) as { readonly events: readonly LogEvent[] };
  const note = events.find((event) => event.kind === 'note' && event.detail.code === 'dialog-answered');
  return { shown: pdfText(body), said: note?.text };
}

describe('Dialogs of a page', () => {
  test('are logged with their answers, including dialogs of frames', async () => {
    const text = `<p id="p"></p><iframe id="f" hidden></iframe>
      <script>p.textContent = String([alert('Saved'), confirm('Delete?\\nReally'), prompt('Name?')]);
      f.contentWindow.alert('framed')</script>`;
    const log = await converted(text);
    assert.equal(log.shown, ',false,');
    const sentence = log.said ?? '';
    for (const part of [
      'alert("Saved") was closed',
      'confirm("Delete?\\nReally") was answered with "Cancel" (false)',
      'prompt("Name?") was answered with "Cancel" (null)',
      'alert("framed")',
    ])
      assert.ok(sentence.includes(part), `${part} in ${sentence}`);
    assert.equal((await converted('<p>none<script></script>')).said, undefined);
  });

  test('add only one short note, however many there are, even if the page replaces built-in functions', async () => {
    const text = `<p>many</p><script>
      String.prototype.slice = () => 'x'.repeat(1e6); Array.prototype.push = Object.values = () => { throw 1 };
      for (let n = 0; n < 10000; n += 1) alert(n + 'y'.repeat(1000))</script>`;
    const log = await converted(text);
    assert.equal(log.shown, 'many');
    const sentence = log.said ?? '';
    assert.match(sentence, /alert\("0y+"\).*and 9995 more/);
    assert.ok(sentence.length < 2000);
  });
});
