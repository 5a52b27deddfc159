/** The jobs of the proof: what each one sends, and whether its answer is right. */
import { createHash } from 'node:crypto';
import { pdfText } from '../../support/output/pdf.ts';
import { pick, randomOfJob, type Random } from '../../soak/random.ts';
import { reasonOf, type ReceivedAnswer } from './caller.ts';

/** Accounts by the limit that they run into. */
export const accounts = ['free', 'rich', 'poor', 'narrow', 'slow', 'large'] as const;

export type AccountName = (typeof accounts)[number];

/** The credits of `poor`. */
export const poorCredits = 25;

type JobKind = 'letter' | 'script' | 'page' | 'image' | 'long' | 'wrong';

export interface ProofJob {
  readonly number: number;
  /** The tag of the job, which its document shows. */
  readonly token: string;
  readonly account: AccountName;
  readonly kind: JobKind;
  readonly isAsynchronous: boolean;
  readonly form: FormData;
  /** The caller disconnects, or cancels an asynchronous job, after this time. */
  readonly giveUpAfterMs: number | undefined;
}

const asynchronousShare = 0.4;

interface JobSource {
  readonly seed: number;
  /** The address of pages with images. */
  readonly site: string;
}

const kinds: readonly JobKind[] = [
  ...Array<JobKind>(8).fill('letter'),
  ...Array<JobKind>(4).fill('script'),
  ...Array<JobKind>(3).fill('page'),
  ...Array<JobKind>(2).fill('image'),
  'long',
  'wrong',
];

/** Returns the job with this number, which depends only on the seed. */
export function jobOf(number: number, { seed, site }: JobSource): ProofJob {
  const random = randomOfJob(seed, number);
  const token = `job-${number}`;
  const kind = pick(kinds, random);
  const isAsynchronous = random() < asynchronousShare;
  const givesUp = random() < 0.06;
  const giveUpAfterMs = givesUp ? Math.round(random() * 1500) : undefined;
  const form = formOf(kind, { token, site, random });
  form.set('tag', token);
  return { number, token, account: pick(accounts, random), kind, isAsynchronous, form, giveUpAfterMs };
}

interface JobContent {
  readonly token: string;
  readonly site: string;
  readonly random: Random;
}

function formOf(kind: JobKind, { token, site, random }: JobContent): FormData {
  const form = new FormData();
  const set = (fields: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return form;
  };
  switch (kind) {
    case 'letter':
      return set({ text: `<h1>${token}</h1><p>A letter.` });
    case 'script':
      return set({
        text: `<script>document.write('<h1>${token}</h1>')</script>`,
        javascript_delay: String(Math.round(random() * 3000)),
      });
    case 'page':
      return set({ url: `${site}/page?token=${token}&image=${Math.floor(random() * 3)}` });
    case 'image':
      return set({ text: `<h1>${token}</h1>`, output_format: 'png' });
    case 'long':
      form.set('file', new File([`<h1>${token}</h1><!-- ${'-'.repeat(3_000_000)} -->`], 'long.html'));
      return form;
    case 'wrong':
      return set({ text: token, page_size: 'A99' });
  }
}

/** The reasons for which an account's jobs may be refused: no credits left, or too many jobs. */
const refusals: Readonly<Record<AccountName, readonly number[]>> = {
  free: [],
  rich: [],
  large: [],
  poor: [105],
  narrow: [120],
  slow: [120],
};

/** Returns what is wrong with a complete answer of the service; undefined if it is right. */
export function problemOf(job: ProofJob, answer: ReceivedAnswer): string | undefined {
  const reason = reasonOf(answer);
  if (answer.status === 200) return documentProblem(job, answer);
  const expected = [...refusals[job.account], ...(job.kind === 'wrong' ? [311] : [])];
  if (reason !== undefined && expected.includes(reason)) return undefined;
  return `${answer.status}: ${answer.body.toString().slice(0, 200)}`;
}

function documentProblem({ kind, token }: ProofJob, { body, headers }: ReceivedAnswer): string | undefined {
  if (kind === 'wrong') return 'was converted, although its page size does not exist';
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  if (headers['repr-digest'] !== digest) return 'has a digest that is not that of its body';
  if (kind === 'image') return body.subarray(1, 4).toString() === 'PNG' ? undefined : 'is not a PNG';
  const text = pdfText(body);
  return text.split(' ').includes(token) ? undefined : `has the text '${text.slice(0, 100)}'`;
}
