/** The operation of debug logs, as OpenAPI 3.1 has it. */

const optionNames = { type: 'array', items: { type: 'string' } } as const;

/** A debug log as JSON. What events hold besides stands in main/log/events.ts. */
export const debugLogSchema = {
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
          options: { ...optionNames, description: 'options that would change it' },
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

export const debugLogOperation = {
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
