import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balancerMissing } from '../../support/cluster/load-balancer.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { runProof } from './run-proof.ts';

const skip = postgresMissing || (balancerMissing('haproxy') ?? false);

test(
  'every job ends once and is charged exactly, while nodes and the database fail',
  { skip },
  async (context) => {
    const seed = Number(process.env.PROOF_SEED ?? Date.now() % 1_000_000_000);
    context.diagnostic(`PROOF_SEED=${seed}`);
    const say = (line: string) => {
      context.diagnostic(line);
    };
    const report = await runProof({ seed, jobs: 300, callers: 4, say });
    assert.deepEqual(report.problems, [], `PROOF_SEED=${seed}`);
    assert.ok(report.delivered > 100, 'too few documents');
    assert.ok(report.faults >= 7, 'too few faults');
  },
);
