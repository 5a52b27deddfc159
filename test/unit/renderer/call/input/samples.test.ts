/** The sample documents of the interface. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { render } from '../../../../../main/input/template/render.ts';
import { defaultLimits } from '../../../../../main/input/template/fill-template.ts';
import { sampleData, sampleTemplate } from '../../../../../renderer/call/input/samples.ts';
import { compareWithData } from '../../../../../renderer/call/template/template-names.ts';

test('the sample data has exactly the values that the sample template uses', () => {
  const names = compareWithData({ template: sampleTemplate, data: sampleData });
  assert.deepEqual(names, { missing: [], unused: [] });
});

test('the filled sample template contains the totals of its data', () => {
  const answer = render({
    template: sampleTemplate,
    data: Buffer.from(sampleData),
    limits: defaultLimits,
    options: {
      template_engine: 'auto',
      data_format: 'auto',
      data_encoding: 'utf-8',
      data_ignore_undefined: false,
      data_trim_blocks: false,
      data_variable_markers: 'standard',
      locale: 'en-US',
    },
  });
  if (answer.kind !== 'filled') assert.fail(JSON.stringify(answer));
  const html = new TextDecoder().decode(answer.html);
  for (const amount of ['€200.00', '€500.00', '€18.00', '€718.00', 'April 17, 2026'])
    assert.ok(html.includes(amount), amount);
});
