import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Failure } from '../../../main/failure/failure.ts';
import { readJob } from '../../../main/job/read-job.ts';
import { maxWaitMs } from '../../../main/job/rules.ts';
import { formOf, limits, optionsOf } from './forms.ts';

function refuses(fields: Readonly<Record<string, string>>, message: RegExp): void {
  const read = () => readJob(formOf({ text: '<p>', ...fields }), limits);
  assert.throws(
    read,
    (problem) =>
      problem instanceof Failure && problem.kind === 'valueNotAllowed' && message.test(problem.message),
    JSON.stringify(fields),
  );
}

describe('paper', () => {
  test('is from 0.1in to 200in wide and high, both included, in every unit', () => {
    const none = { margin_top: '0', margin_right: '0', margin_bottom: '0', margin_left: '0' };
    for (const side of ['page_width', 'page_height']) {
      for (const size of ['0.1in', '200in', '14400pt', '508cm', '5080mm', '19200px', '2.54mm'])
        optionsOf({ ...none, [side]: size });
      for (const size of ['0', '0.09in', '200.1in', '14401pt'])
        refuses({ ...none, [side]: size }, new RegExp(`${side}.* must be from 0.1in to 200in`, 'i'));
    }
    refuses({ ...none, page_width: `${'9'.repeat(400)}in` }, /of page_width is not allowed/);
    refuses({ page_width: '300in', page_height: '0' }, /page_width and page_height must be/i);
  });

  test('of exactly 0.1in is allowed in points and pixels too', () => {
    const none = { margin_top: '0', margin_right: '0', margin_bottom: '0', margin_left: '0' };
    for (const size of ['7.2pt', '9.6px', '0.254cm']) optionsOf({ ...none, page_width: size });
  });
});

describe('margins', () => {
  test('that leave no space are refused, with the names of both sides and the size of the paper', () => {
    refuses(
      { margin_left: '5in', margin_right: '4in' },
      /margin_left and margin_right leave no room on paper 8\.27in wide/i,
    );
    refuses({ margin_top: '300mm' }, /margin_top and margin_bottom leave no room on paper 11\.69in high/i);
    refuses({ margin_top: `${'9'.repeat(400)}in` }, /margin_top/i);
  });

  test('are measured on the oriented paper', () => {
    optionsOf({ orientation: 'landscape', margin_left: '5in', margin_right: '5in' });
    refuses({ orientation: 'landscape', margin_top: '5in', margin_bottom: '5in' }, /margin_bottom/);
  });

  test('do not affect an image', () => {
    optionsOf({ output_format: 'png', margin_left: '5in', margin_right: '4in' });
  });
});

describe('javascript_delay', () => {
  test('may take at most two thirds of the job timeout', () => {
    assert.equal(maxWaitMs(limits), 40_000);
    assert.equal(optionsOf({ javascript_delay: '40000' }).javascript_delay, 40_000);
    refuses({ javascript_delay: '40001' }, /'40001' of javascript_delay .*at most 40000 \(milliseconds/);
  });

  test('is never negative', () => {
    refuses({ javascript_delay: '-1' }, /javascript_delay/);
  });
});

test('invoice_xml has at most 5 MB', () => {
  const read = (size: number) => {
    const upload = { path: '/jobs/1/part', name: 'invoice.xml', size };
    return readJob(formOf({ text: '<p>' }, [{ name: 'invoice_xml', upload }]), limits);
  };
  read(5_000_000);
  assert.throws(
    () => read(5_100_000),
    (problem) =>
      problem instanceof Failure && problem.message.includes('invoice_xml has 5.1 MB; send at most 5 MB'),
  );
});
