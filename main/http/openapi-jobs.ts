/** The operations of the record of jobs, as OpenAPI 3.1 has them. */

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

/** A job in the record. */
export const jobSchema = { type: 'object', required: Object.keys(properties), properties } as const;

const job = { $ref: '#/components/schemas/Job' };

/** A page of the record. */
export const jobListSchema = {
  type: 'object',
  required: ['jobs', 'next'],
  properties: {
    jobs: { type: 'array', items: job },
    next: { type: ['string', 'null'], description: 'value of before for the next page' },
  },
} as const;

export const jobsOperation = {
  operationId: 'jobs',
  summary: 'The jobs of the account, the newest first; an operator sees those of all accounts',
  parameters: [
    query('limit', 'jobs of a page', { type: 'integer', minimum: 1, maximum: 500, default: 50 }),
    query('before', 'only jobs older than this one', { type: 'string' }),
    query('account', 'only jobs of this account, for an operator', { type: 'string' }),
  ],
  responses: {
    200: answered('a page of the record', { $ref: '#/components/schemas/JobList' }),
    400: refused('a parameter is wrong'),
  },
} as const;

export const jobOperation = {
  operationId: 'job',
  summary: 'One job of the record',
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  responses: { 200: answered('the job', job), 404: refused('the account has no such job') },
} as const;

function query(name: string, description: string, schema: object): object {
  return { name, in: 'query', description, schema };
}

function answered(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } };
}

function refused(description: string): object {
  return answered(description, { $ref: '#/components/schemas/Error' });
}
