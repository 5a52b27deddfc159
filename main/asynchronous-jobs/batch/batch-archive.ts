/** The archive of a batch: the documents of its rows, and a list of the rows without one. It is made while it is sent. */
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { failuresOfBatch, rangesOfBatch, type RowRange } from '../../accounts/store/batch-records.ts';
import type { Database } from '../../accounts/store/tables.ts';
import { yieldingToEventLoop } from '../../async/yielding.ts';
import { noteFactsOfAll, type NoteFacts } from '../../conversion/note-facts.ts';
import type { Keyring } from '../../encryption/keyring.ts';
import { normalized } from '../../fields/normalized.ts';
import type { JobFiles } from '../files/job-files.ts';
import { fileOfOutput, readOutput, type StoredJobOutput } from '../stored-output.ts';

export interface ArchivedRow {
  readonly job: string;
  /** From 1. */
  readonly row: number;
  readonly tag: string | null;
  readonly output: StoredJobOutput;
}

export interface BatchArchive {
  /** The notes of all documents. */
  readonly notes: NoteFacts;
  /** Size in bytes. */
  readonly bytes: number;
  readonly stream: Readable;
}

/** Returns the file name of the archive. */
export function archiveName(tag: string | null): string {
  const label = safeLabel(tag ?? '');
  return `${label === '' ? 'documents' : label}.zip`;
}

interface ArchiveDependencies {
  readonly database: Database;
  readonly files: JobFiles;
  readonly keyring: Keyring;
}

const failuresName = 'failures.json';

/** Opens the archive. The stream fails if an output is deleted before it has been read. */
export async function openArchive(
  { database, files, keyring }: ArchiveDependencies,
  batch: string,
): Promise<BatchArchive> {
  const { rows, endedAt, count } = await archivedRows(database, batch);
  const failures = await failuresOfBatch(database, batch);
  const zip = new ZipFile();
  const stream = new PassThrough();
  const fail = (problem: Error) => stream.destroy(problem);
  zip.on('error', fail);
  // yazl opens the first document when it is added. The caller must have the stream before that can fail.
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  // Documents are compressed already.
  const options = { mtime: new Date(endedAt), compress: false, mode: 0o100_644 };
  let current: Readable | undefined;
  for await (const row of yieldingToEventLoop(rows))
    zip.addReadStreamLazy(nameInArchive(row, count), { ...options, size: row.output.bytes }, (open) => {
      void begun.then(() => {
        if (stream.destroyed) return;
        current = Readable.from(readOutput({ files, keyring }, { job: row.job, ...row.output }), {
          objectMode: false,
        });
        current.once('error', fail);
        open(null, current);
      });
    });
  if (failures.length > 0) zip.addBuffer(await indentedJson(failures), failuresName, options);
  const bytes = await sizeOf(zip);
  zip.outputStream.pipe(stream);
  // If the receiver has gone, the file must be closed.
  stream.once('close', () => current?.destroy());
  begin();
  return { notes: noteFactsOfAll(rows.map(({ output }) => output)), bytes, stream };
}

/** Writes a list, which may have thousands of items, in steps. */
async function indentedJson(items: readonly object[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const item of yieldingToEventLoop(items)) {
    const text = JSON.stringify([item], null, 2).slice('['.length, -'\n]'.length);
    parts.push(Buffer.from(`${parts.length === 0 ? '[' : ','}${text}`));
  }
  return Buffer.concat([...parts, Buffer.from('\n]\n')]);
}

/** Completes the list of files, and returns the size of the archive, which follows from those of the files. The types of yazl omit the parameter of the callback. */
async function sizeOf(zip: ZipFile): Promise<number> {
  const end = zip.end.bind(zip) as (options: undefined, onSize: (bytes: number) => void) => void;
  return await new Promise((resolve) => {
    end(undefined, resolve);
  });
}

/** Returns the rows with an output that has not been deleted, in order. */
export async function archivedRows(database: Database, batch: string) {
  const { batch_rows: count, ended_at: endedAt } = await database
    .selectFrom('asynchronous_jobs')
    .innerJoin('jobs', 'jobs.id', 'asynchronous_jobs.job_id')
    .where('job_id', '=', batch)
    .select(['batch_rows', 'ended_at'])
    .executeTakeFirstOrThrow();
  const rows: ArchivedRow[] = [];
  for await (const range of rangesOfBatch(database, batch))
    rows.push(...(await archivedRowsIn(database, batch, range)));
  return { rows, count: count ?? rows.length, endedAt: endedAt ?? Date.now() };
}

async function archivedRowsIn(
  database: Database,
  batch: string,
  { first, last }: RowRange,
): Promise<ArchivedRow[]> {
  const found = await database
    .selectFrom('asynchronous_jobs')
    .innerJoin('jobs', 'jobs.id', 'asynchronous_jobs.job_id')
    .where('batch_id', '=', batch)
    .where((eb) => eb.between('row_number', first, last))
    .where('output_headers', 'is not', null)
    .where('output_deleted', '=', 0)
    .orderBy('row_number')
    .select(['job_id', 'row_number', 'tag', 'output_headers'])
    .execute();
  return found.flatMap(({ job_id: job, row_number, tag, output_headers }): ArchivedRow[] => {
    const output = fileOfOutput(output_headers);
    return output === undefined ? [] : [{ job, row: row_number ?? 0, tag, output }];
  });
}

/**
 * Returns the name of a file: the number of the row, with zeros so that names sort, then the requested name or the tag. The name is
 * allowed on Windows too.
 */
export function nameInArchive({ row, tag, output: { name } }: ArchivedRow, rows: number): string {
  const number = String(row).padStart(String(rows).length, '0');
  const extension = /\.[a-z\d]{1,5}$/i.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  const label = safeLabel(unnamed.test(name) ? (tag ?? '') : stem);
  return label === '' ? `${number}${extension}` : `${number}-${label}${extension}`;
}

/** The names of outputs for which none was requested (requestedName in job/job.ts). */
const unnamed = /^(document\.pdf|image\.[a-z\d]+)$/;

const maxLabelLength = 100;

/** Replaces what Windows does not allow in names. Device names need no change, because a number precedes the label. */
function safeLabel(text: string): string {
  const characters = Array.from(normalized(text).replace(/[<>:"|?*/\\\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, '_'));
  return characters
    .slice(0, maxLabelLength)
    .join('')
    .trim()
    .replace(/(?<![. ])[. ]+$/, '');
}
