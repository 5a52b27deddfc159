import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cancelledText } from '../../../../main/log/findings/outcome.ts';
import { findingsOf } from '../../../../main/log/findings.ts';
import type { Finding } from '../../../../main/log/findings/finding.ts';
import {
  at,
  consoleLine,
  jobLine,
  requestLine,
  stageLine,
} from '../../../support/debug-log/debug-log-lines.ts';
import { cleanLog, failureEvents } from '../../../support/debug-log/sample-debug-logs.ts';
import type { LogEvent } from '../../../../main/log/events.ts';

describe('a job without a result', () => {
  const first = (...events: LogEvent[]): Finding => {
    const [found] = findingsOf([jobLine(), ...events]);
    assert.ok(found);
    return found;
  };
  const outOfTime = (stage: string, ...events: LogEvent[]) => {
    const text = `The job ran out of time: 8 s were over in the stage "${stage}".`;
    return first(...events, ...failureEvents(323, text, stage));
  };

  test('that failed is the subject of the first finding, with the error and the stage', () => {
    const { code, severity, sentence } = first(
      consoleLine('Uncaught x', 'exception'),
      ...failureEvents(400, 'It went wrong.', 'fit the layout'),
    );
    assert.deepEqual([code, severity], ['job-failed', 'error']);
    assert.match(sentence, /^It went wrong\. .*“fit the layout”/);
  });

  test('that timed out has a finding that names the pending requests, the busy script, or another cause in its stage', () => {
    const open = requestLine('https://a.example/x.js', { type: 'Script', failed: 'was still pending' });
    const page = requestLine('https://a.example/', { type: 'Document', status: 200 });
    assert.match(
      outOfTime('load the page', page, open).sentence,
      /had not loaded by the time limit: .*x\.js\.$/,
    );
    const hung = requestLine('https://a.example/', { type: 'Document', failed: 'was still pending' });
    assert.match(outOfTime('load the page', hung).sentence, /The page itself, https:.* had not loaded/);
    const busy = outOfTime('load the page', page);
    assert.match(busy.sentence, /No requests were pending: a script kept the page busy/);
    assert.deepEqual(busy.options, ['disable_javascript']);
    assert.deepEqual(outOfTime('run custom_javascript', page).options, ['custom_javascript']);
    assert.match(outOfTime('print', page).sentence, /Split the document/);
    assert.match(outOfTime('wait for a window').sentence, /All windows were busy/);
  });

  test('has a finding that names the options in its failure message', () => {
    const options = (reason: number, text: string, stage?: string) =>
      first(...failureEvents(reason, text, stage)).options;
    const value = "The value 'A9' of page_size is not allowed; allowed: A0, A1.";
    assert.deepEqual(options(311, value, 'start'), ['page_size']);
    assert.deepEqual(options(324, "No element matched wait_for_element '#a' within 5 s."), [
      'wait_for_element',
    ]);
    assert.deepEqual(options(321, 'The page of a.example was answered with status 404.'), [
      'fail_on_main_url_error',
    ]);
    assert.deepEqual(options(321, 'a.png could not be loaded.', 'check what has arrived'), [
      'fail_on_any_url_error',
    ]);
  });

  test('has a finding that names only existing options', () => {
    const sentOptions = [{ name: 'custom_javascript', value: '(9 characters)', from: 'request' as const }];
    const optionsEvent = at(1, {
      kind: 'options',
      text: '',
      detail: { input: 'text', options: sentOptions, values: [] },
    });
    const text = 'custom_javascript threw ReferenceError: no_such_thing is not defined (line 1).';
    assert.deepEqual(first(optionsEvent, ...failureEvents(327, text)).options, ['custom_javascript']);
  });

  test('in which an element is missing has a finding that mentions a script error as a possible cause', () => {
    const text = "No element matched wait_for_element '#a' within 5 s.";
    const { sentence } = first(consoleLine('Uncaught x', 'exception'), ...failureEvents(324, text));
    assert.match(sentence, /A script of the page stopped with an error/);
  });

  test('whose log has no end has a finding with its last stage; after a disconnect, the finding says that nothing was delivered', () => {
    const stage = stageLine('load the page', { end: 218, took: 200 });
    const cut = first(stage);
    assert.equal(cut.code, 'job-unfinished');
    assert.match(cut.sentence, /still running, or the service ended .* “load the page”, after 218 ms\.$/);
    const finding = first(
      at(5000, { kind: 'failure', text: 'The caller disconnected.', detail: { stage: 'print' } }),
      at(5001, { kind: 'end', text: 'failed', detail: { outcome: 'caller gone' } }),
    );
    assert.match(
      finding.sentence,
      /closed the connection after 5,001 ms, in the stage “print”, so nothing was delivered/,
    );
  });

  test('that was cancelled in the console is reported as cancelled', () => {
    const [found] = findingsOf([
      at(900, { kind: 'failure', text: cancelledText, detail: { stage: 'wait for quiet' } }),
      at(901, { kind: 'end', text: 'failed', detail: { outcome: 'caller gone' } }),
    ]);
    assert.match(
      found?.sentence ?? '',
      /^The run was cancelled after 901 ms, in the stage “wait for quiet”\. It is not charged/,
    );
  });

  test('has no findings about late content', () => {
    const codesOfLateWork = ['late-changes', 'late-resources'] as const;
    const notes = codesOfLateWork.map((code) => at(1, { kind: 'note', text: code, detail: { code } }));
    const codes = findingsOf([...notes, ...failureEvents(306, 'Too large.')]).map(({ code }) => code);
    assert.deepEqual(codes, ['job-failed']);
  });

  test('has a finding, unlike a converted job', () => {
    assert.deepEqual(findingsOf(cleanLog()), []);
  });
});
