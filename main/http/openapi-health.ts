/** The operations that say how the service is, as OpenAPI 3.1 has them. */

const aliveSchema = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['alive'] } },
} as const;

/** What `/ready` answers. */
export const readinessSchema = {
  type: 'object',
  required: ['status'],
  properties: {
    status: { type: 'string', enum: ['ready', 'not ready'] },
    reason: { type: 'string', description: 'why it is not ready' },
  },
} as const;

export const healthOperation = {
  operationId: 'health',
  summary: 'Answers while the process lives',
  security: [],
  responses: { 200: answered('alive', aliveSchema) },
} as const;

const readiness = { $ref: '#/components/schemas/Readiness' };

export const readyOperation = {
  operationId: 'ready',
  summary: 'Tells whether a window can take a job',
  security: [],
  responses: { 200: answered('ready', readiness), 503: answered('not ready, with the reason', readiness) },
} as const;

function answered(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } };
}
