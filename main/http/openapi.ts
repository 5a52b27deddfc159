/** Builds the OpenAPI 3.1 document from the option table and the catalogue of failures. */
import { catalogue, type CatalogueEntry } from '../failure/catalogue.ts';
import { imageContentTypes } from '../job/image-formats.ts';
import { optionNames, table, type OptionRow } from '../job/options.ts';

const errorBody = {
  type: 'object',
  required: ['status_code', 'reason_code', 'message'],
  properties: {
    status_code: { type: 'integer', description: 'HTTP status' },
    reason_code: {
      type: 'integer',
      description: 'reason code; the descriptions of the responses list all codes',
    },
    message: { type: 'string', description: 'what failed, why, and what to change' },
  },
} as const;

/** Returns the document. `prefixes` are the prefixes of the response headers, for example `service`. */
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
  const serviceHeaders = Object.fromEntries(
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
  return {
    operationId: 'convert',
    summary: 'Converts a web page, a file or HTML text into a PDF document or an image',
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
    'number of notes about the request, such as an option without effect; the debug log contains them',
  ],
  ['reason-code', '0, or the reason code of the error'],
] as const;

const alwaysPresent: readonly string[] = [
  'job-id',
  'consumed-credits',
  'output-size',
  'notes',
  'reason-code',
];

/** Returns one response per error status. Its description lists all reason codes of the status. */
function failureResponses(): object {
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

function conversionSchema(): object {
  const properties = optionNames.flatMap((name) => {
    const row: OptionRow = table[name];
    const withoutEffect =
      row.noEffectReason === undefined ? '' : ` Accepted, without effect: ${row.noEffectReason}.`;
    const { schema: valueSchema } = row.kind;
    const facts = {
      ...(row.isRepeatable === true ? { type: 'array', items: valueSchema } : valueSchema),
      description: `${row.description}${withoutEffect}`,
      'x-group': row.group,
      'x-output': row.output,
      ...(row.noEffectReason !== undefined && { deprecated: true }),
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

/** Returns the default as a value of the schema's type: 1024, not "1024". */
function typedDefault({ kind, default: text = '' }: OptionRow): unknown {
  const { type } = kind.schema;
  if (type === 'integer') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

const metricsOperation = {
  operationId: 'metrics',
  summary:
    'Service metrics in Prometheus format. Series of accounts are limited to your own account; operators get all',
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

/** The body of a response from `/ready`. */
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
  summary: 'Answers 200 while the process is running',
  security: [],
  responses: { 200: jsonResponse('alive', aliveSchema) },
} as const;

const readinessReference = { $ref: '#/components/schemas/Readiness' };

const readyOperation = {
  operationId: 'ready',
  summary: 'Reports whether a window can take a job',
  security: [],
  responses: {
    200: jsonResponse('ready', readinessReference),
    503: jsonResponse('not ready, with the reason', readinessReference),
  },
} as const;

function jsonResponse(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } };
}

// Self-test.

const selfTestSchema = {
  type: 'object',
  required: ['passed', 'began', 'took', 'checks'],
  properties: {
    passed: { type: 'boolean' },
    began: { type: 'integer', description: 'start time in milliseconds since 1970' },
    took: { type: 'integer', description: 'milliseconds' },
    checks: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'passed', 'message', 'took'],
        properties: {
          name: { type: 'string' },
          passed: { type: 'boolean' },
          warning: {
            type: 'boolean',
            description: 'the check passed, but found something that needs attention',
          },
          message: {
            type: 'string',
            description: 'the result in one sentence; for a failed check also what to do',
          },
          took: { type: 'integer', description: 'milliseconds' },
        },
      },
    },
  },
} as const;

const selfTestOperation = {
  operationId: 'selfTest',
  summary: 'Runs the self-test of the installation, which takes up to a minute; operators only',
  responses: {
    200: { description: 'all checks passed', content: selfTestContent() },
    403: {
      description: 'the account is not an operator',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
    503: { description: 'a check failed', content: selfTestContent() },
  },
} as const;

/** Returns the formats of the report: a text table, or JSON for clients that accept it. */
function selfTestContent(): object {
  return { 'text/plain': { schema: { type: 'string' } }, 'application/json': { schema: selfTestSchema } };
}

// Debug logs.

const optionNamesSchema = { type: 'array', items: { type: 'string' } } as const;

/** A debug log as JSON. main/log/events.ts defines the properties of `detail` for each kind of event. */
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
        stage: { type: 'string', description: 'the stage in which the job failed' },
      },
    },
    findings: {
      type: 'array',
      description: 'what explains the result, the most severe first',
      items: {
        type: 'object',
        required: ['code', 'severity', 'sentence', 'options'],
        properties: {
          code: { type: 'string' },
          severity: { type: 'string', enum: ['error', 'warning', 'info'] },
          sentence: { type: 'string', description: 'what happened, and what to change' },
          options: { ...optionNamesSchema, description: 'options that help' },
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
          text: { type: 'string', description: 'the event as a sentence' },
          detail: { type: 'object', description: 'the facts of the event, for programs' },
          took: { type: 'number', description: 'milliseconds' },
        },
      },
    },
  },
} as const;

const debugLogOperation = {
  operationId: 'debugLog',
  summary:
    'The debug log of one job. Needs no credentials: the link is the secret. The suffix .html, .json or .har selects a format; .recipe.json is the recipe of the document',
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

const nullableText = { type: ['string', 'null'] } as const;
const nullableInteger = { type: ['integer', 'null'] } as const;
const nullableTime = { type: ['string', 'null'], format: 'date-time' } as const;

const jobProperties = {
  id: { type: 'string' },
  account: { type: 'string' },
  tag: nullableText,
  input: { type: ['string', 'null'], enum: ['url', 'file', 'text', null] },
  input_bytes: nullableInteger,
  output_format: nullableText,
  parameters: {
    type: ['object', 'null'],
    description: 'the options of the request; secrets are masked, contents omitted',
    additionalProperties: { type: 'string' },
  },
  outcome: {
    type: ['string', 'null'],
    enum: ['converted', 'failed', 'caller gone', 'interrupted', 'canceled', null],
    description: 'null while the job runs',
  },
  status: nullableInteger,
  reason: nullableInteger,
  message: nullableText,
  received_at: { type: 'string', format: 'date-time' },
  ended_at: nullableTime,
  stages: {
    type: ['object', 'null'],
    description: 'milliseconds of each stage',
    additionalProperties: { type: 'number' },
  },
  output_bytes: nullableInteger,
  pages: nullableInteger,
  total_pages: nullableInteger,
  consumed_credits: { type: 'integer' },
  debug_log: {
    type: ['string', 'null'],
    format: 'uri',
    description: 'link to the debug log; null if there is none or it has expired',
  },
} as const;

const jobSchema = {
  type: 'object',
  required: Object.keys(jobProperties),
  properties: jobProperties,
} as const;

const jobReference = { $ref: '#/components/schemas/Job' };

/** A page of job records. */
const jobListSchema = {
  type: 'object',
  required: ['jobs', 'next'],
  properties: {
    jobs: { type: 'array', items: jobReference },
    next: { type: ['string', 'null'], description: 'value of before for the next page' },
  },
} as const;

const jobsOperation = {
  operationId: 'jobs',
  summary: 'Job records of your account, newest first; operators get those of all accounts',
  parameters: [
    query('limit', 'maximum number of jobs', { type: 'integer', minimum: 1, maximum: 500, default: 50 }),
    query('before', 'id of a job: only older jobs', { type: 'string' }),
    query('account', 'only jobs of this account; operators only', { type: 'string' }),
  ],
  responses: {
    200: jsonResponse('a page of job records', { $ref: '#/components/schemas/JobList' }),
    400: errorResponse('a parameter is unknown, or its value is not allowed'),
  },
} as const;

const jobOperation = {
  operationId: 'job',
  summary: 'One job record',
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  responses: {
    200: jsonResponse('the job record', jobReference),
    404: errorResponse('the account has no such job'),
  },
} as const;

function query(name: string, description: string, schema: object): object {
  return { name, in: 'query', description, schema };
}

function errorResponse(description: string): object {
  return jsonResponse(description, { $ref: '#/components/schemas/Error' });
}
