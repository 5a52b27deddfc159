/** Generates client/generated/answers.ts: the types of the response headers and JSON responses of the service. */
import { apiDocument, notice, type DocumentHeader } from './document.ts';
import { membersOf, nameOf } from './schema.ts';

export function clientAnswers(): string {
  const { paths, components } = apiDocument();
  const headers = Object.entries(paths['/convert/24.04/']?.post?.responses['200']?.headers ?? {}).filter(
    ([header]) => header !== 'x-service-reason-code',
  );
  // The forms are not answers.
  const schemas = Object.entries(components.schemas).filter(
    ([name]) => name !== 'Conversion' && name !== 'JobSubmission',
  );
  const interfaces = schemas.map(
    ([name, schema]) => `\nexport interface ${nameOf(name)} {\n${membersOf(schema, '  ')}}\n`,
  );
  return `${notice}
/** The facts about a conversion in the headers of its response. */
export interface ConversionFacts {
${headers.map(factOf).join('')}}

/** The header and the type of each fact. */
export const factHeaders = {
${headers.map(([name, { schema }]) => `  ${factName(name)}: ['${name}', '${schema.type}'],\n`).join('')}} as const;
${interfaces.join('')}`;
}

function factOf([name, { description, required, schema }]: readonly [string, DocumentHeader]): string {
  const type = schema.type === 'integer' ? 'number' : 'string';
  return `  /** ${description} */\n  readonly ${factName(name)}: ${required ? type : `${type} | undefined`};\n`;
}

/** Converts `x-service-job-id` to `jobId`. */
function factName(header: string): string {
  return header.replace('x-service-', '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
