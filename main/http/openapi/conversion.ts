/** The conversion in the OpenAPI document. Its form is built from the option table. */
import { optionNames, table, type OptionRow } from '../../job/options.ts';
import { errorFormat, failureResponses, formBody, outputResponse } from './responses.ts';

export function convertOperation(prefixes: readonly string[]): object {
  return {
    operationId: 'convert',
    summary: 'Converts a web page, a file or HTML text into a PDF document or an image',
    parameters: [errorFormat],
    requestBody: formBody('Conversion'),
    responses: { 200: outputResponse(prefixes), ...failureResponses() },
  };
}

export function conversionSchema() {
  const properties = optionNames.flatMap((name) => {
    const row: OptionRow = table[name];
    const withoutEffect =
      row.noEffectReason === undefined ? '' : ` Accepted, without effect: ${row.noEffectReason}.`;
    const { schema, maxLength = Infinity } = row.kind;
    const isText = schema.type === 'string' && schema.enum === undefined && maxLength < Infinity;
    const valueSchema = isText ? { ...schema, maxLength } : schema;
    const facts = {
      ...(row.isRepeatable === true ? { type: 'array', items: valueSchema } : valueSchema),
      description: `${row.description}${withoutEffect}`,
      'x-group': row.group,
      'x-output': row.output,
      ...(row.noEffectReason !== undefined && { deprecated: true }),
    };
    const property = row.default === undefined ? facts : { ...facts, default: typedDefault(row) };
    const aliases = (row.aliases ?? []).map((alias) => [
      alias,
      { ...facts, description: `The same as ${name}.`, deprecated: true },
    ]);
    return [[name, property], ...aliases];
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
