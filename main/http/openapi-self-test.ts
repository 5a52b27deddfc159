/** The operation of the self-test, as OpenAPI 3.1 has it. */

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

export const selfTestOperation = {
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
