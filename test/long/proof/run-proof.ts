/** Sends jobs of six accounts through HAProxy to three nodes, while nodes and the database fail, and checks what came of each job. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { serveWeb, type WebServer } from '../../support/servers/web-server.ts';
import { randomOf } from '../../soak/random.ts';
import { readOutput, submit, type AcceptedJob } from './asynchronous-caller.ts';
import { creditsOf, isUnavailable, sendRequest } from './caller.ts';
import { contradictions, waitForEnds, type AsynchronousResult, type SynchronousResult } from './checks.ts';
import { causeFaults } from './faults.ts';
import { jobOf, problemOf, type ProofJob } from './jobs.ts';
import { ProofCluster } from './proof-cluster.ts';

/** How long a caller waits after a request that was not answered. */
const unavailablePauseMs = 500;

/** How long a caller waits between jobs that are sent only because faults are still to come. */
const overtimePauseMs = 2000;

export interface ProofOptions {
  readonly seed: number;
  /** The number of jobs. More are sent until each fault has happened. */
  readonly jobs: number;
  readonly callers: number;
  readonly say: (line: string) => void;
}

export interface ProofReport {
  readonly problems: readonly string[];
  readonly faults: number;
  readonly sent: number;
  readonly delivered: number;
  /** Synchronous requests that the service or the load balancer could not answer. */
  readonly unavailable: number;
  readonly accepted: number;
}

export async function runProof(options: ProofOptions): Promise<ProofReport> {
  const { seed, say } = options;
  await using site = await openSite();
  await using cluster = await ProofCluster.start();
  const url = cluster.balancer.url;
  say(`HAProxy listens on ${url}`);
  const load = new ProofLoad(url, (number) => jobOf(number, { seed, site: site.url }));
  let isFaultFree = false;
  const isOver = () => load.sent >= options.jobs;
  const faults = causeFaults(cluster, { random: randomOf(seed), say, isOver }).finally(() => {
    isFaultFree = true;
  });
  const callers = Array.from({ length: options.callers }, async () => {
    while (!isOver() || !isFaultFree) {
      if (isOver()) await pause(overtimePauseMs);
      await load.sendNext();
    }
  });
  const count = await faults;
  await Promise.all(callers);
  say(`${load.sent} jobs were sent; waiting for ${load.accepted.length} accepted asynchronous jobs`);
  await load.readOutputs(options.callers);
  await waitForEnds(cluster.database);
  const { synchronous, asynchronous } = load;
  const wrong = await contradictions(cluster.database, { synchronous, asynchronous });
  const problems = [...load.problems, ...wrong];
  if (problems.length > 0) for (const line of cluster.errors().slice(-20)) say(line);
  return {
    problems,
    faults: count,
    sent: load.sent,
    delivered: synchronous.filter(({ isDelivered }) => isDelivered).length,
    unavailable: load.unavailable,
    accepted: load.accepted.length,
  };
}

/** The jobs that are sent, and what came of them. */
class ProofLoad {
  readonly problems: string[] = [];
  readonly synchronous: SynchronousResult[] = [];
  readonly asynchronous: AsynchronousResult[] = [];
  readonly accepted: AcceptedJob[] = [];
  sent = 0;
  unavailable = 0;
  readonly #url: string;
  readonly #jobOf: (number: number) => ProofJob;

  constructor(url: string, createJob: (number: number) => ProofJob) {
    this.#url = url;
    this.#jobOf = createJob;
  }

  async sendNext(): Promise<void> {
    this.sent += 1;
    const job = this.#jobOf(this.sent);
    if (job.isAsynchronous) await this.#submit(job);
    else await this.#convert(job);
  }

  async #convert(job: ProofJob): Promise<void> {
    const { account, form, giveUpAfterMs, token } = job;
    const answer = await sendRequest(this.#url, {
      method: 'POST',
      path: '/convert/24.04/',
      account,
      form,
      ...(giveUpAfterMs !== undefined && { disconnectAfterMs: giveUpAfterMs }),
    });
    const isDelivered = answer.isComplete && answer.status === 200;
    const credits = isDelivered ? creditsOf(answer) : 0;
    this.synchronous.push({ job, isDelivered, credits, receivedBytes: answer.body.length });
    if (isUnavailable(answer)) {
      this.unavailable += 1;
      await pause(unavailablePauseMs);
      return;
    }
    const problem = problemOf(job, answer);
    if (problem !== undefined) this.problems.push(`${token} (${job.kind}): ${problem}`);
  }

  async #submit(job: ProofJob): Promise<void> {
    const { id, problem } = await submit(this.#url, job);
    if (id !== undefined) this.accepted.push({ job, id });
    if (problem !== undefined) this.problems.push(`${job.token} (${job.kind}): ${problem}`);
  }

  /** Reads the outputs of all accepted jobs, as many at a time as there are callers. */
  async readOutputs(callers: number): Promise<void> {
    const waiting = [...this.accepted];
    const read = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await this.#readOutput(next);
    };
    await Promise.all(Array.from({ length: callers }, read));
  }

  async #readOutput(accepted: AcceptedJob): Promise<void> {
    const { job } = accepted;
    const { credits, problem } = await readOutput(this.#url, accepted);
    this.asynchronous.push({ job, credits });
    if (problem !== undefined) this.problems.push(`${job.token} (${job.kind}, asynchronous): ${problem}`);
  }
}

/** Pages with an image that Chromium embeds unchanged, for one to four credits. */
async function openSite(): Promise<WebServer> {
  const images = await Promise.all([400, 700, 1000].map(noise));
  return await serveWeb({
    '/page': (request, response) => {
      const query = new URL(request.url ?? '', 'http://site').searchParams;
      const image = images[Number(query.get('image'))]?.toString('base64') ?? '';
      response.setHeader('content-type', 'text/html');
      response.end(`<h1>${query.get('token') ?? ''}</h1><img src="data:image/jpeg;base64,${image}">`);
    },
  });
}

async function noise(width: number): Promise<Buffer> {
  const raw = { width, height: width, channels: 3 } as const;
  return await sharp(randomBytes(width * width * 3), { raw })
    .jpeg({ quality: 95 })
    .toBuffer();
}
