import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import sharp from 'sharp';
import { basic, openServiceDatabase } from '../support/service/job-record.ts';
import { electronOf } from '../support/service/processes.ts';
import { startService, temporaryFolder, type Service } from '../support/service/service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The number of kills. The moment of the kill differs between rounds and runs. */
const rounds = 15;
const users = ['ann', 'bob'];
const credits = 1_000_000;

/**
 * Returns urlencoded bodies: letters that cost one credit, and pages with an image, which Chromium embeds unchanged, for 2 to 8
 * credits.
 */
async function makeForms(): Promise<readonly string[]> {
  const images = await Promise.all([600, 900, 1300].map(noise));
  const letters = ['letter', 'note', 'bill', 'reminder'];
  const texts = [...letters, ...images.map((data) => `<img src="data:image/jpeg;base64,${data}">`)];
  return texts.map((text) => new URLSearchParams({ text }).toString());
}

async function noise(width: number): Promise<string> {
  const raw = { width, height: width, channels: 3 } as const;
  const image = sharp(randomBytes(width * width * 3), { raw }).jpeg({ quality: 95 });
  return (await image.toBuffer()).toString('base64');
}

interface ChargeTally {
  /** The credits of the responses that were received completely, by user. */
  readonly received: Map<string, number>;
  /** Jobs whose response lacks only its last byte. They were charged if the kill came between the charge and the last byte. */
  readonly uncertain: { readonly user: string; readonly job: string; readonly credits: number }[];
  /** The number of responses that were received completely. */
  answers: number;
  /** The number of `uncertain` jobs that were charged. */
  chargedUncertain: number;
}

test('after SIGKILL at any moment, exactly the completely received responses are charged', async (context) => {
  const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000_000);
  context.diagnostic(`KILL_SEED=${seed}`);
  const random = generator(seed);
  const load = { forms: await makeForms(), random };
  const data = temporaryFolder();
  const whole = new Map(users.map((user) => [user, 0]));
  const tally: ChargeTally = { received: whole, uncertain: [], answers: 0, chargedUncertain: 0 };
  for (let round = 0; round <= rounds; round += 1) {
    const flags = [
      '--restart',
      'off',
      '--workers',
      '2',
      '--accounts',
      users.map((user) => `${user}:key:${credits}`).join(),
    ];
    const service = await startService({ data, flags });
    await compare(service, tally, `round ${round}, KILL_SEED=${seed}`);
    if (round === rounds) await service.stop();
    else await loadAndKill(service, tally, load);
  }
  rmSync(data, { recursive: true });
  context.diagnostic(
    `${tally.answers} responses were received completely; ${tally.uncertain.length} others lack only their last byte, ` +
      `and ${tally.chargedUncertain} of those were charged`,
  );
  assert.ok(tally.answers > rounds * 2, 'too few responses');
});

async function loadAndKill(
  service: Service,
  counted: ChargeTally,
  { forms, random }: { readonly forms: readonly string[]; readonly random: () => number },
): Promise<void> {
  let over = false;
  const enough = counted.answers + 2 + Math.floor(random() * 6);
  const client = async () => {
    while (!over) {
      const user = pick(users, random);
      const form = pick(forms, random);
      const answer = await sendForm(service, user, form);
      if (answer === undefined) over = true;
      else note(answer, user, counted);
    }
  };
  const clients = Array.from({ length: 4 + Math.floor(random() * 5) }, client);
  const electron = electronOf(service);
  const launcher = service.process.pid ?? 0;
  const kinds = [[electron], [electron], [launcher], [electron, launcher], [launcher, electron]];
  const ended = new Promise((resolve) => service.process.once('exit', resolve));
  await waitUntil('some responses are received', () => over || counted.answers >= enough);
  await new Promise((resolve) => setTimeout(resolve, random() * 400));
  for (const victim of pick(kinds, random)) process.kill(victim, 'SIGKILL');
  await Promise.all([ended, ...clients]);
}

interface PartialResponse {
  readonly status: number;
  readonly job: string;
  readonly credits: number;
  readonly missing: number;
}

/** Resolves with undefined if there is no response. */
function sendForm(service: Service, user: string, form: string): Promise<PartialResponse | undefined> {
  return new Promise((resolve) => {
    const headers = {
      authorization: basic(user),
      'content-type': 'application/x-www-form-urlencoded',
    };
    const sent = request(`${service.url}/convert/24.04/`, { method: 'POST', headers, agent: false });
    sent.on('error', () => {
      resolve(undefined);
    });
    sent.on('response', (response) => {
      read(response, resolve);
    });
    sent.end(form);
  });
}

function read(response: IncomingMessage, resolve: (answer: PartialResponse) => void): void {
  const { headers, statusCode: status = 0 } = response;
  let missing = Number(headers['content-length']);
  response.on('data', (bytes: Buffer) => (missing -= bytes.length));
  response.on('error', () => {});
  response.on('close', () => {
    const consumed = Number(headers['x-service-consumed-credits'] ?? 0);
    resolve({ status, job: String(headers['x-service-job-id']), credits: consumed, missing });
  });
}

function note(
  { status, job, credits: consumed, missing }: PartialResponse,
  user: string,
  counted: ChargeTally,
): void {
  if (missing === 0) {
    if (status !== 200) return;
    counted.answers += 1;
    counted.received.set(user, (counted.received.get(user) ?? 0) + consumed);
  } else if (missing === 1 && status === 200) counted.uncertain.push({ user, job, credits: consumed });
}

/** Asserts that the restarted service has released all reserved credits, and that the charges match the received responses. */
async function compare(service: Service, counted: ChargeTally, when: string): Promise<void> {
  await using record = await openServiceDatabase(service);
  const { database } = record;
  const reserved = await database.selectFrom('jobs').select('id').where('reserved', '>', 0).execute();
  assert.deepEqual(reserved, [], when);
  const open = await database.selectFrom('jobs').select('id').where('outcome', 'is', null).execute();
  assert.deepEqual(open, [], when);
  counted.chargedUncertain = 0;
  for (const user of users) {
    const account = await database
      .selectFrom('accounts')
      .selectAll()
      .where('name', '=', user)
      .executeTakeFirstOrThrow();
    const charged = await chargedOf(database, account.id);
    const uncertain = counted.uncertain.filter((answer) => answer.user === user);
    const charges = uncertain.map(({ job }) => charged.get(job) ?? 0);
    counted.chargedUncertain += charges.filter((charge) => charge > 0).length;
    assert.equal(account.granted, credits, when);
    assert.equal(account.spent, sum([...charged.values()]), when);
    assert.equal(account.spent, (counted.received.get(user) ?? 0) + sum(charges), when);
    for (const { job, credits: price } of uncertain)
      assert.ok([0, price].includes(charged.get(job) ?? 0), `${when}: job ${job} without its last byte`);
  }
}

async function chargedOf(
  database: Awaited<ReturnType<typeof openServiceDatabase>>['database'],
  account: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await database
    .selectFrom('jobs')
    .select(['id', 'charged'])
    .where('account_id', '=', account)
    .execute();
  return new Map(rows.map(({ id, charged }) => [id, charged]));
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

function pick<T>(choices: readonly T[], random: () => number): T {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new Error('nothing to choose from');
  return choice;
}

/** Returns a generator of reproducible random numbers from 0 (inclusive) to 1 (exclusive), with the algorithm mulberry32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
