/** Job records and asynchronous jobs in the OpenAPI document. */
import { priorityNames } from '../../accounts/job-json.ts';
import { jobStates } from '../../accounts/store/job-records.ts';
import { conversionSchema } from './conversion.ts';
import {
  errorFormat,
  errorResponse,
  failureResponses,
  formBody,
  jsonResponse,
  outputResponse,
  query,
  type OutputResponse,
} from './responses.ts';

const nullableText = { type: ['string', 'null'] } as const;
const nullableInteger = { type: ['integer', 'null'] } as const;
const nullableTime = { type: ['string', 'null'], format: 'date-time' } as const;

const jobProperties = {
  id: { type: 'string' },
  state: { type: 'string', enum: [...jobStates] },
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
    description: 'null while the job waits or runs',
  },
  status: nullableInteger,
  reason: nullableInteger,
  message: nullableText,
  received_at: { type: 'string', format: 'date-time' },
  started_at: { ...nullableTime, description: 'null while the job waits in the queue' },
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
  priority: {
    type: ['string', 'null'],
    enum: [...priorityNames, null],
    description: 'null for a synchronous job',
  },
  callback_url: nullableText,
  keep: {
    type: ['integer', 'null'],
    description: 'seconds for which the output is kept; null for a synchronous job',
  },
  expires_at: { ...nullableTime, description: 'when the output is deleted; null if there is none' },
  batch: {
    ...nullableText,
    description: 'id of the batch to which the job of a row belongs; otherwise null',
  },
  row: { ...nullableInteger, description: 'number of the row, from 1; null if the job belongs to no batch' },
  progress: {
    type: ['object', 'null'],
    description: 'the numbers of rows of a batch; null for other jobs',
    required: ['rows', 'done', 'failed', 'canceled'],
    properties: {
      rows: { type: 'integer' },
      done: { type: 'integer' },
      failed: { type: 'integer' },
      canceled: { type: 'integer' },
    },
  },
} as const;

/** Absent in lists, and for jobs that are no batch. */
const failuresProperty = {
  type: 'array',
  description: 'only in the record of a batch: the first 100 rows that failed',
  items: {
    type: 'object',
    required: ['row', 'job', 'status', 'reason', 'message'],
    properties: {
      row: { type: 'integer', description: 'number of the row, from 1' },
      job: { type: 'string', description: 'id of the job of the row' },
      status: nullableInteger,
      reason: nullableInteger,
      message: nullableText,
    },
  },
} as const;

export const jobSchema = {
  type: 'object',
  required: Object.keys(jobProperties),
  properties: { ...jobProperties, failures: failuresProperty },
} as const;

const jobReference = { $ref: '#/components/schemas/Job' };

/** A page of job records. */
export const jobListSchema = {
  type: 'object',
  required: ['jobs', 'next'],
  properties: {
    jobs: { type: 'array', items: jobReference },
    next: { type: ['string', 'null'], description: 'value of before for the next page' },
  },
} as const;

export const jobsOperation = {
  operationId: 'jobs',
  summary: 'Job records of your account, newest first; operators get those of all accounts',
  parameters: [
    query('limit', 'maximum number of jobs', { type: 'integer', minimum: 1, maximum: 500, default: 50 }),
    query('before', 'id of a job: only older jobs', { type: 'string' }),
    query('account', 'only jobs of this account; operators only', { type: 'string' }),
    query('state', 'only jobs in this state', { type: 'string', enum: [...jobStates] }),
    query('batch', 'the jobs of the rows of this batch, which are otherwise left out', { type: 'string' }),
  ],
  responses: {
    200: jsonResponse('a page of job records', { $ref: '#/components/schemas/JobList' }),
    400: errorResponse('a parameter is unknown, or its value is not allowed'),
  },
} as const;

const jobIdParameter = { name: 'id', in: 'path', required: true, schema: { type: 'string' } } as const;

export const jobOperation = {
  operationId: 'job',
  summary: 'One job record',
  parameters: [jobIdParameter],
  responses: {
    200: jsonResponse('the job record', jobReference),
    404: errorResponse('the account has no such job'),
  },
} as const;

// Asynchronous jobs.

/** Returns the options of a conversion and the fields of an asynchronous job. */
export function submissionSchema(): object {
  const { properties, ...schema } = conversionSchema();
  return {
    ...schema,
    properties: {
      ...properties,
      callback_url: {
        type: 'string',
        format: 'uri',
        description: 'http or https address to which the service sends the job when it has ended',
      },
      priority: {
        type: 'string',
        enum: [...priorityNames],
        default: 'batch',
        description: 'interactive jobs run before batch jobs',
      },
      keep: {
        type: 'integer',
        minimum: 1,
        description: 'seconds for which the output is kept, at most and by default the setting output-keep',
      },
      rows: {
        type: 'string',
        format: 'binary',
        description:
          'makes a batch: a file of CSV, JSON lines or a JSON array; file or text is a template, which each row fills',
      },
      merge: {
        type: 'boolean',
        default: false,
        description:
          'whether the documents of a batch are merged into one PDF document instead of an archive',
      },
    },
  };
}

export const submittedJobSchema = {
  type: 'object',
  required: ['id', 'state'],
  properties: { id: { type: 'string' }, state: { type: 'string', enum: ['queued'] } },
} as const;

export const submitOperation = {
  operationId: 'submitJob',
  summary: 'Submits a conversion that runs later, and answers immediately with the id of the job',
  parameters: [
    errorFormat,
    {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        '1 to 255 visible ASCII characters; a request with the same key and the same content gives the same job',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ],
  requestBody: formBody('JobSubmission'),
  responses: {
    202: {
      ...jsonResponse('the job waits in the queue', { $ref: '#/components/schemas/SubmittedJob' }),
      headers: { location: { description: 'path of the job', required: true, schema: { type: 'string' } } },
    },
    400: errorResponse('the form is invalid; the codes are those of a conversion'),
    422: errorResponse('the Idempotency-Key belongs to another request'),
    503: errorResponse('as many jobs wait as the setting jobs-queue allows'),
  },
} as const;

export function outputOperation(prefixes: readonly string[]): object {
  return {
    operationId: 'jobOutput',
    summary:
      'The output of an asynchronous job, with the headers that a conversion has; for a failed job its error',
    parameters: [jobIdParameter, errorFormat],
    responses: {
      200: outputOrArchive(outputResponse(prefixes)),
      ...failureResponses(),
    },
  };
}

/** An archive is made while it is sent, so it has no digest. */
function outputOrArchive({ headers, content }: OutputResponse): object {
  return {
    description: 'the converted document; for a batch an archive of its documents, which has no digest',
    headers: { ...headers, 'repr-digest': { ...headers['repr-digest'], required: false } },
    content: { ...content, 'application/zip': { schema: { type: 'string', format: 'binary' } } },
  };
}

export const removeOperation = {
  operationId: 'removeJob',
  summary: 'Cancels an asynchronous job that waits or runs; otherwise deletes its output',
  parameters: [jobIdParameter],
  responses: {
    204: { description: 'the job is canceled, or its output deleted' },
    404: errorResponse('the account has no such asynchronous job'),
  },
} as const;
