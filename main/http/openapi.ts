/** The OpenAPI 3.1 document, made from the option table and the catalogue of failures. */
import { catalogue, type CatalogueEntry } from '../failure/catalogue.ts';
import { imageTypes } from '../job/image-formats.ts';
import { debugLogOperation, debugLogSchema } from './openapi-debug-log.ts';
import { healthOperation, readinessSchema, readyOperation } from './openapi-health.ts';
import { jobListSchema, jobOperation, jobSchema, jobsOperation } from './openapi-jobs.ts';
import { selfTestOperation } from './openapi-self-test.ts';
import { optionNames, table, type OptionRow } from '../job/options.ts';

const errorBody = {
  type: 'object',
  required: ['status_code', 'reason_code', 'message'],
  properties: {
    status_code: { type: 'integer', description: 'HTTP status' },
    reason_code: { type: 'integer', description: 'what exactly went wrong' },
    message: { type: 'string', description: 'what, why, and what to change' },
  },
} as const;

/** `prefixes` are those of the response headers. */
export function openApiDocument(prefixes: readonly string[]): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Platen', version: '24.04', summary: 'Turns web pages into PDF documents and images.' },
    security: [{ basic: [] }],
    paths: {
      '/convert/24.04/': { post: convertOperation(prefixes) },
      '/jobs': { get: jobsOperation },
      '/jobs/{id}': { get: jobOperation },
      '/debug-log/{id}': { get: debugLogOperation },
      '/metrics': { get: metricsOperation },
      '/self-test': { get: selfTestOperation },
      '/health': { get: healthOperation },
      '/ready': { get: readyOperation },
    },
    components: {
      securitySchemes: { basic: { type: 'http', scheme: 'basic', description: 'account name and key' } },
      schemas: {
        Conversion: conversionSchema(),
        Job: jobSchema,
        JobList: jobListSchema,
        DebugLog: debugLogSchema,
        Readiness: readinessSchema,
        Error: errorBody,
      },
    },
  };
}

function convertOperation(prefixes: readonly string[]): object {
  const schema = { $ref: '#/components/schemas/Conversion' };
  const headers = Object.fromEntries(
    prefixes.flatMap((prefix) =>
      successHeaders.map(([name, description]) => [
        `x-${prefix}-${name}`,
        {
          ...{ description, required: alwaysThere.includes(name) },
          schema: { type: name.endsWith('id') || name.endsWith('log') ? 'string' : 'integer' },
        },
      ]),
    ),
  );
  const content = Object.fromEntries(
    ['application/pdf', ...new Set(Object.values(imageTypes))].map((type) => [
      type,
      { schema: { type: 'string', format: 'binary' } },
    ]),
  );
  return {
    operationId: 'convert',
    summary: 'Converts a page, a file or a text into a PDF document or a picture',
    parameters: [
      {
        name: 'errfmt',
        in: 'query',
        description: 'format of an error body',
        schema: { type: 'string', enum: ['txt', 'json'], default: 'txt' },
      },
    ],
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema }, 'application/x-www-form-urlencoded': { schema } },
    },
    responses: { 200: { description: 'the converted document', headers, content }, ...failureResponses() },
  };
}

/** Names after `x-service-`, and what their values are. */
export const successHeaders = [
  ['job-id', 'unique identifier of the job'],
  ['debug-log', 'address of the debug log, when debug_log was asked for'],
  ['consumed-credits', 'credits this conversion took'],
  ['remaining-credits', 'credits left; absent for an account without a limit'],
  ['output-size', 'bytes of the output'],
  ['pages', 'pages of the output (PDF)'],
  ['total-pages', 'pages of the document before print_page_range (PDF)'],
  ['notes', 'notes about the request, such as an option without effect; the debug log names them'],
  ['reason-code', '0, or the reason of the error'],
] as const;

const alwaysThere: readonly string[] = ['job-id', 'consumed-credits', 'output-size', 'notes', 'reason-code'];

/** One response for each status, naming all its reasons. */
function failureResponses(): object {
  const entries: readonly CatalogueEntry[] = Object.values(catalogue);
  const statuses = [...new Set(entries.map(({ status }) => status))].sort((one, other) => one - other);
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

function conversionSchema(): object {
  const properties = optionNames.flatMap((name) => {
    const row: OptionRow = table[name];
    const idle = row.withoutEffect === undefined ? '' : ` Accepted, without effect: ${row.withoutEffect}.`;
    const facts = {
      ...{ ...row.kind.schema, description: `${row.says}${idle}` },
      ...{ 'x-group': row.group, 'x-output': row.output },
      ...(row.withoutEffect !== undefined && { deprecated: true }),
    };
    const schema = row.default === undefined ? facts : { ...facts, default: typedDefault(row) };
    const aliases = (row.aliases ?? []).map((alias) => [
      alias,
      { ...facts, description: `The same as ${name}.`, deprecated: true },
    ]);
    return [[name, schema], ...aliases];
  });
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties) as object,
  };
}

/** A default has the type of its schema: 1024, not "1024". */
function typedDefault({ kind, default: written = '' }: OptionRow): unknown {
  const { type } = kind.schema;
  if (type === 'integer') return Number(written);
  return type === 'boolean' ? written === 'true' : written;
}

const metricsOperation = {
  operationId: 'metrics',
  summary: 'Numbers of the service for Prometheus; of series with an account the own ones, an operator all',
  responses: {
    200: { description: 'the metrics', content: { 'text/plain': { schema: { type: 'string' } } } },
  },
} as const;
