/** The parts of the OpenAPI document that several operations share: parameters, bodies and responses. */
import { catalogue, type CatalogueEntry } from '../../failure/catalogue.ts';
import { imageContentTypes } from '../../job/image-formats.ts';

export const errorFormat = {
  name: 'errfmt',
  in: 'query',
  description: 'format of an error body',
  schema: { type: 'string', enum: ['txt', 'json'], default: 'txt' },
} as const;

export function formBody(schemaName: string): object {
  const schema = { $ref: `#/components/schemas/${schemaName}` };
  return {
    required: true,
    content: { 'multipart/form-data': { schema }, 'application/x-www-form-urlencoded': { schema } },
  };
}

/** Returns the response with a converted document or image. */
export type OutputResponse = ReturnType<typeof outputResponse>;

export function outputResponse(prefixes: readonly string[]) {
  const serviceHeaders = Object.fromEntries(
    prefixes.flatMap((prefix) =>
      successHeaders.map(([name, description]) => [
        `x-${prefix}-${name}`,
        {
          description,
          required: alwaysPresent.includes(name),
          schema: { type: textHeaders.includes(name) ? 'string' : 'integer' },
        },
      ]),
    ),
  );
  const headers = {
    ...serviceHeaders,
    'repr-digest': {
      description: 'SHA-256 digest of the body (RFC 9530)',
      required: true,
      schema: { type: 'string' },
    },
  };
  const content = Object.fromEntries(
    ['application/pdf', ...new Set(Object.values(imageContentTypes))].map((type) => [
      type,
      { schema: { type: 'string', format: 'binary' } },
    ]),
  );
  return { description: 'the converted document', headers, content };
}

/** Header names without the prefix `x-service-`, and their descriptions. */
export const successHeaders = [
  ['job-id', 'unique identifier of the job'],
  ['debug-log', 'address of the debug log, if one is recorded'],
  ['consumed-credits', 'credits that the conversion cost'],
  ['remaining-credits', 'credits left; absent for an account without a limit'],
  ['output-size', 'size of the output in bytes'],
  ['pages', 'number of pages of the output (PDF)'],
  ['total-pages', 'number of pages of the document before print_page_range applies (PDF)'],
  [
    'notes',
    'number of warnings and errors about the request and the document, such as content that is hidden; 0 if all is well',
  ],
  ['note-codes', 'their codes, separated by commas, each once and the most severe first'],
  ['reason-code', '0, or the reason code of the error'],
] as const;

const textHeaders: readonly string[] = ['job-id', 'debug-log', 'note-codes'];

const alwaysPresent: readonly string[] = [
  'job-id',
  'consumed-credits',
  'output-size',
  'notes',
  'note-codes',
  'reason-code',
];

/** Returns one response per error status. Its description lists all reason codes of the status. */
export function failureResponses(): object {
  const entries: readonly CatalogueEntry[] = Object.values(catalogue);
  const statuses = [...new Set(entries.map(({ status }) => status))].sort((left, right) => left - right);
  const content = {
    'text/plain': { schema: { type: 'string' } },
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
  };
  return Object.fromEntries(
    statuses.map((status) => {
      const reasons = entries
        .filter((entry) => entry.status === status)
        .map(({ reason, when }) => `${status}.${reason}: ${when}`);
      return [status, { description: reasons.join('\n'), content }];
    }),
  );
}

export function jsonResponse(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } };
}

export function query(name: string, description: string, schema: object): object {
  return { name, in: 'query', description, schema };
}

export function errorResponse(description: string): object {
  return jsonResponse(description, { $ref: '#/components/schemas/Error' });
}
