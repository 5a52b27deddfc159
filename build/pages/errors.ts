/** Generates docs/errors.md, the list of all error responses, from the catalogue of failures. */
import { catalogue, type CatalogueEntry } from '../../main/failure/catalogue.ts';
import { cells, notice, table } from './markdown.ts';

export function errorsPage(): string {
  const entries: readonly CatalogueEntry[] = Object.values(catalogue);
  const rows = entries.map(({ status, reason, when, remedy }) => cells(`${status}.${reason}`, when, remedy));
  return `${notice}# Errors

The body is \`<status>.<reason> - <message>\`, or with \`?errfmt=json\` an object of \`status_code\`, \`reason_code\` and \`message\`.
\`x-service-reason-code\` contains the reason; \`Retry-After\` is present if a retry makes sense.

${table(['code', 'when', 'remedy'], rows)}
`;
}
