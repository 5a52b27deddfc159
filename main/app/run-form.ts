/** The form of a run, as the window sends it -> a Form: fields in memory, files in the job's folder. */
import { randomUUID } from 'node:crypto';
import { copyFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Received } from '../conversion/received.ts';
import { Failure, toFailure } from '../failure/failure.ts';
import { withoutLongValues } from '../job/field-lengths.ts';
import type { Form } from '../job/read-fields.ts';
import type { ChosenPlace } from './chosen.ts';
import type { RunForm } from './desk-contract.ts';
import { packFolder } from '../input/pack-folder.ts';

export interface Reception {
  /** The job's. */
  readonly folder: string;
  /** Bytes of the form as a whole. */
  readonly maxUpload: number;
  readonly find: (id: string) => ChosenPlace;
}

const name = z.string().min(1).max(200);
const filename = z.string().max(1000);

/** As many as a form over HTTP may have. */
const formSchema = z.strictObject({
  fields: z.array(z.tuple([name, z.string()])).max(500),
  files: z.array(z.strictObject({ name, filename, bytes: z.instanceof(ArrayBuffer) })).max(20),
  chosen: z.strictObject({ field: name, id: z.string().max(100) }).optional(),
});

/** @throws Failure bodyFormat for what is no form */
export function readRunForm(sent: unknown): RunForm {
  const read = formSchema.safeParse(sent);
  if (!read.success) throw new Failure('bodyFormat', 'What was sent is not the form of a run.');
  const { fields, files, chosen } = read.data;
  return { fields, files, ...(chosen && { chosen }) };
}

/** Never rejects. */
export async function receiveRunForm(sent: RunForm, reception: Reception): Promise<Received> {
  const fields = sent.fields.map(([name, value]) => ({ name, value }));
  try {
    checkSize(sent, reception);
    const files = await Promise.all(sent.files.map((file) => store(file, reception)));
    if (sent.chosen !== undefined) files.push(await take(sent.chosen, reception));
    return withoutLongValues({ fields, files });
  } catch (problem) {
    return { form: withoutLongValues({ fields, files: [] }).form, problem: toFailure(problem) };
  }
}

function checkSize({ fields, files }: RunForm, { maxUpload }: Reception): void {
  const ofFields = fields.reduce((sum, [, value]) => sum + Buffer.byteLength(value), 0);
  const ofFiles = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  if (ofFields + ofFiles > maxUpload) throw tooLarge(maxUpload);
}

type FormFile = Form['files'][number];

async function store(
  { name, filename, bytes }: RunForm['files'][number],
  { folder }: Reception,
): Promise<FormFile> {
  const path = join(folder, randomUUID());
  await writeFile(path, new Uint8Array(bytes), { mode: 0o600 });
  return { name, upload: { path, name: filename.slice(0, 200), size: bytes.byteLength } };
}

/** As it is at this moment. */
async function take(chosen: NonNullable<RunForm['chosen']>, reception: Reception): Promise<FormFile> {
  const { folder, maxUpload, find } = reception;
  const place = find(chosen.id);
  const path = join(folder, randomUUID());
  if (place.kind === 'folder') {
    const size = await packFolder({ from: place.path, to: path, most: maxUpload });
    return { name: chosen.field, upload: { path, name: `${place.name}.tar`, size } };
  }
  const facts = await stat(place.path).catch(() => undefined);
  if (facts?.isFile() !== true)
    throw new Failure('notFound', `${place.name} is not there any more; choose it again.`);
  if (facts.size > maxUpload) throw tooLarge(maxUpload);
  await copyFile(place.path, path);
  return { name: chosen.field, upload: { path, name: place.name, size: (await stat(path)).size } };
}

function tooLarge(maxUpload: number): Failure {
  return new Failure('uploadTooLarge', `The form is larger than ${maxUpload / 1e6} MB, the upload limit.`);
}
