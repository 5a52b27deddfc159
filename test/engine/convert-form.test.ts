import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import { watchClosingLogs } from '../../main/conversion/job-log.ts';
import {
  convertForm,
  type FormDependencies,
  type FormConversionRequest,
} from '../../main/conversion/convert-form.ts';
import { JobQueue } from '../../main/engine/queue/job-queue.ts';
import { defaultLimits } from '../../main/input/archive/limits.ts';
import { newJobId } from '../../main/job/job.ts';
import { openDebugLogs } from '../../main/log/debug-logs.ts';
import { openFinisher } from '../../main/output/finish/finisher.ts';
import { noSigner, startEngine } from '../support/service/engine.ts';
import { temporaryLedger, type TestLedger } from '../support/accounts/ledger.ts';

describe('finished jobs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-convert-form-'));
  let ledger: TestLedger;
  before(async () => (ledger = await temporaryLedger()));
  after(async () => {
    await ledger[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test('leave no listeners on the shutdown signal', async () => {
    await using engine = await startEngine();
    await using finisher = openFinisher(1);
    await using debugLogs = await openDebugLogs(join(folder, 'logs'), 60_000);
    const { signal: shutdown } = new AbortController();
    const parts: FormDependencies = {
      engine,
      finisher,
      maxOutputBytes: 1e9,
      signer: noSigner,
      archiveLimits: defaultLimits,
      jobs: ledger.jobs,
      debugLogs,
      inputQueue: new JobQueue({ workers: 1, queue: 1, queueTimeoutMs: 60_000 }),
      shutdown,
      closingLogs: watchClosingLogs(),
      log: pino({ level: 'silent' }),
      workFolder: folder,
      settings: { alias: undefined, 'job-timeout': 60 },
      versions: noVersions,
    };
    const id = await ledger.account({ name: 'ann', credits: 'unlimited' });
    for (const debugLog of [false, true, false]) {
      const pages = await convertForm(
        conversionRequest({ id, name: 'ann', operator: false, debugLog }),
        parts,
      );
      assert.equal(pages, 1);
    }
    assert.equal(getEventListeners(shutdown, 'abort').length, 0);
    // Node records the signals that AbortSignal.any() derives from this signal in a symbol property, and never removes them.
    const dependents = Object.getOwnPropertySymbols(shutdown).filter((symbol) =>
      /depend/i.test(String(symbol)),
    );
    assert.deepEqual(dependents, []);
  });
});

const noVersions = { platen: '', electron: '', chromium: '' };

/** Returns a request for a short document. Its `deliver` resolves to the number of printed pages. */
function conversionRequest(
  account: FormConversionRequest<unknown>['account'],
): FormConversionRequest<number | undefined> {
  const form = { fields: [{ name: 'text', value: '<p>text<script>1</script>' }], files: [] };
  return {
    id: newJobId(),
    account,
    callerDisconnected: new AbortController().signal,
    receive: () => Promise.resolve({ form }),
    onReceived() {},
    async deliver({ output, entry }) {
      await entry.charge({}, () => {});
      return output.pages?.printed;
    },
  };
}
