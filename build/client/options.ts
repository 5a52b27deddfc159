/** Generates client/generated/options.ts: the type of the conversion options, with their descriptions as comments. */
import { wrapped } from '../pages/markdown.ts';
import { apiDocument, notice } from './document.ts';
import { typeOf, type Schema } from './schema.ts';

/** The fields for the input of a conversion, which are separate parameters in the client. */
const inputs = ['url', 'file', 'stream', 'text'];

export function clientOptions(): string {
  const { properties = {} } = apiDocument().components.schemas.Conversion ?? {};
  const options = Object.entries(properties).filter(([name]) => !inputs.includes(name));
  const groups = [...new Set(options.map(([, schema]) => schema['x-group']))];
  const chapters = groups.map((group = '') => {
    const members = options.filter(([, schema]) => schema['x-group'] === group);
    return `  // ${group}\n\n${members.map(memberOf).join('')}`;
  });
  return `${notice}import type { FileInput } from '../file-input.ts';

/** The options of a conversion by their names in the HTTP API. Undefined options are not sent. */
export interface ConversionOptions {
${chapters.join('\n')}}
`;
}

function memberOf([name, schema]: readonly [string, Schema]): string {
  return `${commentOf(schema)}  readonly ${name}?: ${typeOf(schema)} | undefined;\n`;
}

function commentOf(schema: Schema): string {
  const [line = '', ...others] = wrapped(descriptionOf(schema), 120);
  if (others.length === 0) return `  /** ${line} */\n`;
  return `  /**\n${[line, ...others].map((text) => `   * ${text}\n`).join('')}   */\n`;
}

/** Returns the text of an option's comment. A space separates `*` and `/`, which would otherwise end the comment. */
function descriptionOf(schema: Schema): string {
  const { description = '', examples = [], minimum, maximum, default: defaultValue } = schema;
  const { deprecated = false, 'x-output': output } = schema;
  const range = [
    ...(minimum === undefined ? [] : [`From ${minimum}`]),
    ...(maximum === undefined ? [] : [`to ${maximum}`]),
  ];
  const parts = [
    description,
    ...(examples.length === 0 ? [] : [`Examples: ${examples.map((example) => `'${example}'`).join(', ')}.`]),
    ...(range.length === 0 ? [] : [`${range.join(' ')}.`]),
    ...(defaultValue === undefined ? [] : [`Default: ${String(defaultValue)}.`]),
    ...(output === 'pdf' ? ['PDF only.'] : output === 'image' ? ['Images only.'] : []),
    ...(deprecated ? ['@deprecated'] : []),
  ];
  return parts.join(' ').replaceAll('*/', '* /');
}
