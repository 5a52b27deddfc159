/** Defines the limits of a form and the error messages for exceeding them. Nothing is silently truncated. */
import multer from 'multer';
import { Failure, isOutOfResources, outOfResources } from '../../failure/failure.ts';

export const maxFields = 500;
const maxFiles = 20;
const maxNameBytes = 200;
/** Maximum index in a field name such as `a[9]`, for which multer creates a list of ten elements. A long list would take minutes. */
const maxListIndex = 100;

interface SizeLimit {
  /** Maximum size of the whole request, in bytes. */
  readonly maxUpload: number;
}

/** Returns the limits for multer and busboy. */
export function formLimits({ maxUpload }: SizeLimit) {
  return {
    fieldSize: maxUpload,
    fileSize: maxUpload,
    fields: maxFields,
    files: maxFiles,
    parts: maxFields + maxFiles,
    fieldNameSize: maxNameBytes,
    fieldArrayIndexLimit: maxListIndex,
    // multer would nest lists in lists, each with a hundred elements.
    fieldNestingDepth: 1,
  };
}

/** Converts errors of multer, busboy and the disk to Failure bodyFormat, uploadTooLarge or unavailable. Returns a Failure unchanged. */
export function multipartFailure(cause: unknown, limit: SizeLimit): Failure {
  if (cause instanceof Failure) return cause;
  const code = cause instanceof multer.MulterError ? cause.code : '';
  if (code === 'LIMIT_FILE_SIZE' || code === 'LIMIT_FIELD_VALUE') return tooLarge(limit);
  const message =
    multipartErrors[code] ?? (cause instanceof Error ? multipartErrors[cause.message] : undefined);
  if (message !== undefined) return bodyFormat(message, cause);
  if (isOutOfResources(cause)) return outOfResources(cause);
  return bodyFormat(
    'The body is not valid multipart/form-data: its boundary is missing, or it is incomplete.',
    cause,
  );
}

const multipartErrors: Readonly<Record<string, string>> = {
  LIMIT_FIELD_COUNT: `The form has more than ${maxFields} fields; send fewer.`,
  LIMIT_FILE_COUNT: `The form has more than ${maxFiles} files; send fewer.`,
  LIMIT_PART_COUNT: `The form has more than ${maxFields + maxFiles} parts; send fewer.`,
  LIMIT_FIELD_KEY: `The name of a field is longer than ${maxNameBytes} bytes; no parameter has such a name.`,
  LIMIT_FIELD_ARRAY_INDEX: `The index in the name of a field is larger than ${maxListIndex}; send fewer fields.`,
  LIMIT_FIELD_NESTING: 'The name of a field has too many brackets; send at most one index.',
  MISSING_FIELD_NAME: 'A part of the form has no name; send each part with the name of a parameter.',
  INVALID_FIELD_NAME: 'The name of a field is malformed.',
  'Malformed part header': 'The headers of a part are malformed, or larger than 16 kB.',
};

/** Returns the failure for a field whose name or value busboy has truncated; undefined if neither is. */
export function checkField({
  nameTruncated,
  valueTruncated,
  ...limit
}: SizeLimit & { readonly nameTruncated: boolean; readonly valueTruncated: boolean }): Failure | undefined {
  if (nameTruncated) return bodyFormat(multipartErrors.LIMIT_FIELD_KEY ?? '');
  return valueTruncated ? tooLarge(limit) : undefined;
}

export function tooManyFields(): Failure {
  return bodyFormat(multipartErrors.LIMIT_FIELD_COUNT ?? '');
}

export function tooLarge({ maxUpload }: SizeLimit): Failure {
  return new Failure('uploadTooLarge', `The request is larger than ${maxUpload / 1e6} MB, the upload limit.`);
}

export function bodyFormat(message: string, cause?: unknown): Failure {
  return new Failure('bodyFormat', message, { cause });
}

export function unknownCharset(): Failure {
  return bodyFormat('The character set of the form is unknown; send it in UTF-8.');
}
