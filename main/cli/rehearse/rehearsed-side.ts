/** One of the two installations of a rehearsal: its service, and conversions with it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptInput } from '../../kept-inputs/kept-inputs.ts';
import type { ConversionItem } from '../convert/plan.ts';
import { openRemote } from '../convert/remote.ts';
import type { FormPart } from '../installation/form-body.ts';
import {
  startTemporaryService,
  type TemporaryService,
  type TemporaryServiceOptions,
} from '../installation/temporary-service.ts';
import { openTemporaryFolder, type TemporaryFolder } from '../temporary-folder.ts';

/** A sample: a file of the folder with samples, or a kept request. */
export type RehearsedSample =
  | { readonly name: string; readonly item: ConversionItem }
  | { readonly name: string; readonly kept: KeptInput };

export type RehearsedOutput =
  | { readonly bytes: Buffer; readonly message?: undefined }
  | { readonly bytes?: undefined; readonly message: string };

/** With the same time in both documents, they have the same bytes if nothing else differs. */
const creationDate = { name: 'creation_date', value: '2000-01-01' } as const;

export class RehearsedSide implements AsyncDisposable {
  /** Such as `Platen 0.1.0 (Chromium 130.0.6723.137)`. */
  readonly name: string;
  /** Whether this version knows `creation_date`. */
  readonly knowsCreationDate: boolean;
  readonly #service: TemporaryService;
  readonly #folder: TemporaryFolder;

  private constructor(service: TemporaryService, folder: TemporaryFolder, facts: ProbedFacts) {
    this.#service = service;
    this.#folder = folder;
    this.name = facts.name;
    this.knowsCreationDate = facts.knowsCreationDate;
  }

  /** @throws Error with a one-sentence message if the service does not start or cannot convert; the signal's reason */
  static async open(options: TemporaryServiceOptions): Promise<RehearsedSide> {
    const service = await startTemporaryService(options);
    try {
      const facts = await probe(service, options);
      return new RehearsedSide(service, await openTemporaryFolder('rehearsal'), facts);
    } catch (problem) {
      await service[Symbol.asyncDispose]();
      throw problem;
    }
  }

  /** Converts a sample. @throws the signal's reason; Error if the service ends */
  async convert(
    sample: RehearsedSample,
    { withDate, signal }: { readonly withDate: boolean; readonly signal: AbortSignal },
  ): Promise<RehearsedOutput> {
    return 'item' in sample
      ? this.#convertItem(sample.item, withDate, signal)
      : this.#convertKept(sample.kept, withDate, signal);
  }

  async #convertItem(item: ConversionItem, withDate: boolean, signal: AbortSignal): Promise<RehearsedOutput> {
    const { url, account } = this.#service;
    await using client = openRemote({ url, account, folder: this.#folder.path, maxUpload: Infinity });
    const path = join(this.#folder.path, 'output');
    await writeFile(path, '');
    const form = { fields: withDate ? [creationDate] : [], files: [] };
    const outcome = await client.convert({ item, form, path }, signal);
    if (outcome.kind === 'failed') return { message: outcome.message };
    return { bytes: await readFile(path) };
  }

  async #convertKept(
    { values }: KeptInput,
    withDate: boolean,
    signal: AbortSignal,
  ): Promise<RehearsedOutput> {
    const isPdf = !values.some(
      ({ name, bytes }) => name === 'output_format' && !/^pdf$/i.test(bytes.toString()),
    );
    const added =
      withDate && isPdf ? [{ name: creationDate.name, bytes: Buffer.from(creationDate.value) }] : [];
    const sent = values.filter(({ name }) => !isOmitted(name));
    const response = await this.#service.convert([...sent, ...added], signal);
    const bytes = Buffer.from(await response.arrayBuffer());
    return response.ok ? { bytes } : { message: bytes.toString('utf8').trim() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
    await this.#folder[Symbol.asyncDispose]();
  }
}

/** Returns whether a value is not sent again: the date differs, and there is no certificate for signatures. */
function isOmitted(name: string): boolean {
  return [creationDate.name, 'debug_log', 'sign'].includes(name) || name.startsWith('signature_');
}

interface ProbedFacts {
  readonly name: string;
  readonly knowsCreationDate: boolean;
}

/** Converts a first document, and reads the versions from its debug log. */
async function probe(
  service: TemporaryService,
  { program, signal }: TemporaryServiceOptions,
): Promise<ProbedFacts> {
  const parts: FormPart[] = [
    { name: 'text', bytes: Buffer.from('<p>Rehearsal') },
    { name: 'debug_log', bytes: Buffer.from('true') },
  ];
  const date = { name: creationDate.name, bytes: Buffer.from(creationDate.value) };
  const dated = await service.convert([...parts, date], signal);
  const response = dated.ok ? dated : await service.convert(parts, signal);
  if (!response.ok)
    throw new Error(
      `${program.join(' ')} cannot convert a first document: ${(await response.text()).trim()}`,
    );
  const log = await fetch(`${response.headers.get('x-service-debug-log') ?? ''}.json`, { signal });
  const { job } = (await log.json()) as { job: { versions: { platen: string; chromium: string } } };
  return {
    name: `Platen ${job.versions.platen} (Chromium ${job.versions.chromium})`,
    knowsCreationDate: dated.ok,
  };
}
