/** Converts JSON Schema to TypeScript types, as far as the OpenAPI document uses it. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly (string | null)[];
  readonly description?: string;
  readonly examples?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean;
  readonly deprecated?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
  readonly 'x-group'?: string;
  readonly 'x-output'?: 'pdf' | 'image' | 'both';
}

/** Type names for schemas whose own names would mislead. */
const otherNames: Readonly<Record<string, string>> = { Error: 'ErrorBody' };

export function nameOf(schemaName: string): string {
  return otherNames[schemaName] ?? schemaName;
}

/** Returns the TypeScript type for a schema. @throws Error for an unsupported schema */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.split('/').at(-1) ?? '');
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  const types = [schema.type ?? 'unknown'].flat();
  return types.map((type) => typeNamed(type, schema, indent)).join(' | ');
}

/** Returns the members of an object type, one per line, with their comments. */
export function membersOf({ properties = {}, required = [] }: Schema, indent: string): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const mark = required.includes(name) ? '' : '?';
      const comment = schema.description === undefined ? '' : `${indent}/** ${schema.description} */\n`;
      return `${comment}${indent}readonly ${name}${mark}: ${typeOf(schema, indent)};\n`;
    })
    .join('');
}

function typeNamed(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'string':
      return schema.format === 'binary' ? 'FileInput' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `readonly ${elementOf(schema, indent)}[]`;
    case 'object':
      return objectOf(schema, indent);
    default:
      throw new Error(`build/client/schema.ts does not support the type ${type}`);
  }
}

function elementOf({ items = {} }: Schema, indent: string): string {
  const isUnion = items.enum !== undefined || Array.isArray(items.type);
  return isUnion ? `(${typeOf(items, indent)})` : typeOf(items, indent);
}

function objectOf(schema: Schema, indent: string): string {
  if (schema.properties !== undefined) return `{\n${membersOf(schema, `${indent}  `)}${indent}}`;
  const value = schema.additionalProperties ? typeOf(schema.additionalProperties, indent) : 'unknown';
  return `Readonly<Record<string, ${value}>>`;
}

function literal(value: string | null): string {
  return value === null ? 'null' : `'${value}'`;
}
