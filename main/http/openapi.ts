/** Builds the OpenAPI 3.1 document from the option table and the catalogue of failures. */
import { conversionSchema, convertOperation } from './openapi/conversion.ts';
import {
  jobListSchema,
  jobOperation,
  jobSchema,
  jobsOperation,
  outputOperation,
  removeOperation,
  submissionSchema,
  submitOperation,
  submittedJobSchema,
} from './openapi/jobs.ts';
import { jsonResponse } from './openapi/responses.ts';

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
      '/jobs': { get: jobsOperation, post: submitOperation },
      '/jobs/{id}': { get: jobOperation, delete: removeOperation },
      '/jobs/{id}/output': { get: outputOperation(prefixes) },
      '/debug-log/{id}': { get: debugLogOperation },
      '/metrics': { get: metricsOperation },
      '/self-test': { post: selfTestOperation },
      '/health': { get: healthOperation },
      '/ready': { get: readyOperation },
    },
    components: {
      securitySchemes: { basic: { type: 'http', scheme: 'basic', description: 'account name and key' } },
      schemas: {
        Conversion: conversionSchema(),
        JobSubmission: submissionSchema(),
        SubmittedJob: submittedJobSchema,
        Job: jobSchema,
        JobList: jobListSchema,
        DebugLog: debugLogSchema,
        Readiness: readinessSchema,
        Error: errorBody,
      },
    },
  };
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
