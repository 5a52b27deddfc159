/** Builds the OpenAPI 3.1 document from the option table and the catalogue of failures. */
import { catalogue, type CatalogueEntry } from '../failure/catalogue.ts';
import { imageContentTypes } from '../job/image-formats.ts';
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

/** `prefixes` are the prefixes of the response headers. */
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
          description,
          required: alwaysPresent.includes(name),
          schema: { type: name.endsWith('id') || name.endsWith('log') ? 'string' : 'integer' },
        },
      ]),
    ),
  );
  const content = Object.fromEntries(
    ['application/pdf', ...new Set(Object.values(imageContentTypes))].map((type) => [
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

/** Header names without `x-service-`, and their descriptions. */
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

const alwaysPresent: readonly string[] = [
  'job-id',
  'consumed-credits',
  'output-size',
  'notes',
  'reason-code',
];

/** Returns one response per status, with all its reasons. */
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
    const withoutEffect =
      row.withoutEffect === undefined ? '' : ` Accepted, without effect: ${row.withoutEffect}.`;
    const facts = {
      ...row.kind.schema,
      description: `${row.says}${withoutEffect}`,
      'x-group': row.group,
      'x-output': row.output,
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

/** Returns the default with the type of its schema: 1024, not "1024". */
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

// Health and readiness.

const aliveSchema = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['alive'] } },
} as const;

/** The response of `/ready`. */
const readinessSchema = {
  type: 'object',
  required: ['status'],
  properties: {
    status: { type: 'string', enum: ['ready', 'not ready'] },
    reason: { type: 'string', description: 'why it is not ready' },
  },
} as const;

const healthOperation = {
  operationId: 'health',
  summary: 'Answers while the process lives',
  security: [],
  responses: { 200: answered('alive', aliveSchema) },
} as const;

const readiness = { $ref: '#/components/schemas/Readiness' };

const readyOperation = {
  operationId: 'ready',
  summary: 'Tells whether a window can take a job',
  security: [],
  responses: { 200: answered('ready', readiness), 503: answered('not ready, with the reason', readiness) },
} as const;

function answered(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } };
}

// Self-test.

const report = {
  type: 'object',
  required: ['passed', 'began', 'took', 'checks'],
  properties: {
    passed: { type: 'boolean' },
    began: { type: 'integer', description: 'milliseconds since 1970' },
    took: { type: 'integer', description: 'milliseconds' },
    checks: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'passed', 'says', 'took'],
        properties: {
          name: { type: 'string' },
          passed: { type: 'boolean' },
          warning: { type: 'boolean', description: 'it has passed, but something is worth knowing' },
          says: { type: 'string', description: 'what was found, and what to do where it failed' },
          took: { type: 'integer', description: 'milliseconds' },
        },
      },
    },
  },
} as const;

const selfTestOperation = {
  operationId: 'selfTest',
  summary: 'Proves the installation from the inside, in up to a minute; for operators',
  responses: {
    200: { description: 'all is well', content: contentOf() },
    403: {
      description: 'the account is no operator',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
    503: { description: 'a check has failed', content: contentOf() },
  },
} as const;

/** A table for people, JSON for programs that accept it. */
function contentOf(): object {
  return { 'text/plain': { schema: { type: 'string' } }, 'application/json': { schema: report } };
}

// Debug logs.

const optionNamesSchema = { type: 'array', items: { type: 'string' } } as const;

/** A debug log as JSON. main/log/events.ts defines the details of events. */
const debugLogSchema = {
  type: 'object',
  required: ['job', 'outcome', 'findings', 'events'],
  properties: {
    job: {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'string' },
        account: { type: 'string' },
        tag: { type: 'string' },
        received: { type: 'string', format: 'date-time' },
        versions: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
    outcome: { type: 'string', enum: ['converted', 'failed', 'caller gone', 'unfinished'] },
    failure: {
      type: 'object',
      required: ['message', 'stage'],
      properties: {
        message: { type: 'string' },
        status: { type: 'integer' },
        reason: { type: 'integer' },
        stage: { type: 'string', description: 'where it happened' },
      },
    },
    findings: {
      type: 'array',
      description: 'what explains the result, the weightiest first',
      items: {
        type: 'object',
        required: ['code', 'severity', 'sentence', 'options'],
        properties: {
          code: { type: 'string' },
          severity: { type: 'string', enum: ['error', 'warning', 'info'] },
          sentence: { type: 'string', description: 'what happened, and what to change' },
          options: { ...optionNamesSchema, description: 'options that would change it' },
        },
      },
    },
    events: {
      type: 'array',
      items: {
        type: 'object',
        required: ['at', 'kind', 'text', 'detail'],
        properties: {
          at: { type: 'number', description: 'milliseconds since the job began' },
          kind: { type: 'string' },
          text: { type: 'string', description: 'the event for people' },
          detail: { type: 'object', description: 'the same and more for programs' },
          took: { type: 'number', description: 'milliseconds' },
        },
      },
    },
  },
} as const;

const debugLogOperation = {
  operationId: 'debugLog',
  summary:
    'The debug log of one job; the address is the secret; .html, .json or .har after it choose the form',
  security: [],
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  responses: {
    200: {
      description: 'the log',
      content: {
        'text/html': { schema: { type: 'string' } },
        'application/json': { schema: { $ref: '#/components/schemas/DebugLog' } },
      },
    },
    404: { description: 'unknown or expired' },
  },
} as const;

// Job records.

const text = { type: ['string', 'null'] } as const;
const whole = { type: ['integer', 'null'] } as const;
const time = { type: ['string', 'null'], format: 'date-time' } as const;

const properties = {
  id: { type: 'string' },
  account: { type: 'string' },
  tag: text,
  input: { type: ['string', 'null'], enum: ['url', 'file', 'text', null] },
  input_bytes: whole,
  output_format: text,
  parameters: {
    type: ['object', 'null'],
    description: 'the options given, secrets masked and contents left out',
    additionalProperties: { type: 'string' },
  },
  outcome: {
    type: ['string', 'null'],
    enum: ['converted', 'failed', 'caller gone', 'interrupted', null],
    description: 'null while it is under way',
  },
  status: whole,
  reason: whole,
  message: text,
  received_at: { type: 'string', format: 'date-time' },
  ended_at: time,
  stages: {
    type: ['object', 'null'],
    description: 'milliseconds of each stage',
    additionalProperties: { type: 'number' },
  },
  output_bytes: whole,
  pages: whole,
  total_pages: whole,
  consumed_credits: { type: 'integer' },
  debug_log: { type: ['string', 'null'], format: 'uri', description: 'while it can be read' },
} as const;

/** One job record. */
const jobSchema = { type: 'object', required: Object.keys(properties), properties } as const;

const job = { $ref: '#/components/schemas/Job' };

/** A page of job records. */
const jobListSchema = {
  type: 'object',
  required: ['jobs', 'next'],
  properties: {
    jobs: { type: 'array', items: job },
    next: { type: ['string', 'null'], description: 'value of before for the next page' },
  },
} as const;

const jobsOperation = {
  operationId: 'jobs',
  summary: 'The jobs of the account, the newest first; an operator sees those of all accounts',
  parameters: [
    query('limit', 'jobs of a page', { type: 'integer', minimum: 1, maximum: 500, default: 50 }),
    query('before', 'only jobs older than this one', { type: 'string' }),
    query('account', 'only jobs of this account, for an operator', { type: 'string' }),
  ],
  responses: {
    200: jobAnswer('a page of the record', { $ref: '#/components/schemas/JobList' }),
    400: refused('a parameter is wrong'),
  },
} as const;

const jobOperation = {
  operationId: 'job',
  summary: 'One job of the record',
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  responses: { 200: jobAnswer('the job', job), 404: refused('the account has no such job') },
} as const;

function query(name: string, description: string, schema: object): object {
  return { name, in: 'query', description, schema };
}

function jobAnswer(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } };
}

function refused(description: string): object {
  return jobAnswer(description, { $ref: '#/components/schemas/Error' });
}
