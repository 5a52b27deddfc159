/** The limits of a form, and the sentence for whoever breaks one: nothing is cut off in silence. */
import multer from 'multer';
import { Failure, noRoom } from '../failure/failure.ts';
import { hasNoRoom } from '../failure/no-room.ts';

const mostFields = 500;
const mostFiles = 20;
const longestName = 200;
/** Of a name such as `a[9]`, which multer makes a list of ten: no option is one, and a long one would cost minutes. */
const mostElements = 100;

interface SizeLimit {
  /** Bytes of the request as a whole. */
  readonly maxUpload: number;
}

/** For multer and busboy. */
export function formLimits({ maxUpload }: SizeLimit) {
  return {
    fieldSize: maxUpload,
    fileSize: maxUpload,
    fields: mostFields,
    files: mostFiles,
    parts: mostFields + mostFiles,
    fieldNameSize: longestName,
    fieldArrayIndexLimit: mostElements,
    fieldNestingDepth: mostElements,
  };
}

/** What multer and busboy say of a body, and the disk of its files -> Failure bodyFormat, uploadTooLarge, unavailable. */
export function explainMultipart(cause: unknown, limit: SizeLimit): Failure {
  const code = cause instanceof multer.MulterError ? cause.code : '';
  if (code === 'LIMIT_FILE_SIZE' || code === 'LIMIT_FIELD_VALUE') return tooLarge(limit);
  const said = sentences[code] ?? (cause instanceof Error ? sentences[cause.message] : undefined);
  if (said !== undefined) return bodyFormat(said, cause);
  if (hasNoRoom(cause)) return noRoom(cause);
  return bodyFormat(
    'The body cannot be read as multipart/form-data: its boundary is missing or it is cut short.',
    cause,
  );
}

const sentences: Readonly<Record<string, string>> = {
  LIMIT_FIELD_COUNT: `The form has more than ${mostFields} fields.`,
  LIMIT_FILE_COUNT: `The form has more than ${mostFiles} files.`,
  LIMIT_PART_COUNT: `The form has more than ${mostFields + mostFiles} parts.`,
  LIMIT_FIELD_KEY: `The name of a field is longer than ${longestName} bytes.`,
  LIMIT_FIELD_ARRAY_INDEX: 'The name of a field asks for too long a list; no parameter is one.',
  LIMIT_FIELD_NESTING: 'The name of a field has too many brackets; no parameter has any.',
  MISSING_FIELD_NAME: 'A part of the form has no name.',
  INVALID_FIELD_NAME: 'The name of a field cannot be read.',
  'Malformed part header': 'The headers of a part are malformed, or larger than 16 kB.',
};

/** busboy cuts names in silence, and says so beside the field. */
export function checkField({
  nameTruncated,
  valueTruncated,
  ...limit
}: SizeLimit & { readonly nameTruncated: boolean; readonly valueTruncated: boolean }): Failure | undefined {
  if (nameTruncated) return bodyFormat(sentences.LIMIT_FIELD_KEY ?? '');
  return valueTruncated ? tooLarge(limit) : undefined;
}

export function tooManyFields(): Failure {
  return bodyFormat(sentences.LIMIT_FIELD_COUNT ?? '');
}

export function tooLarge({ maxUpload }: SizeLimit): Failure {
  return new Failure('uploadTooLarge', `The request is larger than ${maxUpload / 1e6} MB, the upload limit.`);
}

export function bodyFormat(sentence: string, cause?: unknown): Failure {
  return new Failure('bodyFormat', sentence, { cause });
}

export function unknownCharset(): Failure {
  return bodyFormat('The form is in a character set that is not known; send it in UTF-8.');
}
