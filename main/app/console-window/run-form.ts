/**
 * Turns the form of a run, as the console window sends it, into a `Form`. Fields stay in memory; files are written to the job's
 * folder.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { ReceivedForm } from '../../conversion/admission.ts';
import { Failure, toFailure } from '../../failure/failure.ts';
import { dropExcessiveValues, type Form } from '../../job/read-fields.ts';
import type { PickedPath } from '../native-bridge/picked-files.ts';
import type { NativeRunForm } from '../native-bridge/contract.ts';
import { packFolder } from '../../files/pack-files.ts';
import type { JobFolder } from '../../job/job.ts';

interface ReceiveOptions {
  /** The job's folder, to which the files are written. */
  readonly folder: JobFolder;
  /** Maximum size of the whole form, in bytes. */
  readonly maxUpload: number;
  readonly find: (id: string) => PickedPath;
}

const name = z.string().min(1).max(200);
const filename = z.string().max(1000);

const maxFiles = 20;

/** The limits are the same as for a form sent over HTTP (http/upload/form-limits.ts). */
const formSchema = z.strictObject({
  fields: z.array(z.tuple([name, z.string()])).max(500),
  files: z.array(z.strictObject({ name, filename, bytes: z.instanceof(ArrayBuffer) })),
  picked: z.strictObject({ field: name, id: z.string().max(100) }).optional(),
});

/** @throws Failure bodyFormat for invalid data */
export function readRunForm(data: unknown): NativeRunForm {
  const parsed = formSchema.safeParse(data);
  if (!parsed.success) throw new Failure('bodyFormat', 'The data is not the form of a run.');
  const { fields, files, picked } = parsed.data;
  return { fields, files, ...(picked && { picked }) };
}

/** Stores the files and returns the form. Never rejects: a failure is returned in `problem`. */
export async function receiveRunForm(form: NativeRunForm, options: ReceiveOptions): Promise<ReceivedForm> {
  const fields = form.fields.map(([name, value]) => ({ name, value }));
  try {
    checkFiles(form, options);
    const files = await Promise.all(form.files.map((file) => storeFile(file, options)));
    if (form.picked !== undefined) files.push(await copyPicked(form.picked, options));
    return dropExcessiveValues({ fields, files });
  } catch (problem) {
    return { form: dropExcessiveValues({ fields, files: [] }).form, problem: toFailure(problem) };
  }
}

/** @throws Failure bodyFormat or uploadTooLarge */
function checkFiles({ fields, files, picked }: NativeRunForm, { maxUpload }: ReceiveOptions): void {
  if (files.length + (picked === undefined ? 0 : 1) > maxFiles)
    throw new Failure('bodyFormat', `The form has more than ${maxFiles} files; send fewer.`);
  const fieldBytes = fields.reduce((sum, [, value]) => sum + Buffer.byteLength(value), 0);
  const fileBytes = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  if (fieldBytes + fileBytes > maxUpload) throw tooLarge(maxUpload);
}

type RunFormFile = Form['files'][number];

async function storeFile(
  { name, filename, bytes }: NativeRunForm['files'][number],
  { folder }: ReceiveOptions,
): Promise<RunFormFile> {
  const path = join(folder.path(), randomUUID());
  await writeFile(path, new Uint8Array(bytes), { mode: 0o600 });
  return { name, upload: { path, name: filename.slice(0, 200), size: bytes.byteLength } };
}

/** Copies the picked file, or packs the picked folder into a tar archive. @throws Failure notFound or uploadTooLarge */
async function copyPicked(
  picked: NonNullable<NativeRunForm['picked']>,
  options: ReceiveOptions,
): Promise<RunFormFile> {
  const { folder, maxUpload, find } = options;
  const item = find(picked.id);
  const path = join(folder.path(), randomUUID());
  if (item.kind === 'folder') {
    const size = await packFolder({ from: item.path, to: path, maxBytes: maxUpload, subject: 'The folder' });
    return { name: picked.field, upload: { path, name: `${item.name}.tar`, size } };
  }
  const stats = await stat(item.path).catch(() => undefined);
  if (stats?.isFile() !== true)
    throw new Failure('notFound', `${item.name} no longer exists. Choose it again.`);
  if (stats.size > maxUpload) throw tooLarge(maxUpload);
  await copyFile(item.path, path);
  return { name: picked.field, upload: { path, name: item.name, size: (await stat(path)).size } };
}

function tooLarge(maxUpload: number): Failure {
  return new Failure('uploadTooLarge', `The form is larger than ${maxUpload / 1e6} MB, the upload limit.`);
}
