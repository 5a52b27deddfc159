import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { catalogue } from '../../../../main/failure/catalogue.ts';
import { openApiDocument } from '../../../../main/http/openapi.ts';
import { optionNames, table, type OptionRow } from '../../../../main/job/options.ts';

interface OpenApiOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly description: string; readonly headers?: object }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: {
      readonly Conversion: {
        readonly properties: Readonly<Record<string, { readonly description: string }>>;
      };
      readonly Error: object;
    };
  };
}

/** The document as a client gets it, after JSON serialisation. */
const document = JSON.parse(JSON.stringify(openApiDocument(['service', 'pdfcrowd']))) as Document;
const convert = document.paths['/convert/24.04/']?.post;
const { Conversion, Error: ErrorBody } = document.components.schemas;

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictRequired: false,
  formats: { binary: true, uri: true },
  keywords: ['x-group', 'x-output'],
});

const operation = {
  type: 'object',
  required: ['operationId', 'summary', 'responses'],
  properties: {
    responses: {
      type: 'object',
      minProperties: 1,
      patternProperties: {
        '^[1-5]\\d\\d$': {
          type: 'object',
          required: ['description'],
          properties: { description: { type: 'string', minLength: 1 } },
        },
      },
      additionalProperties: false,
    },
  },
};

/** The parts of the OpenAPI 3.1 schema that clients depend on. */
const shape = {
  type: 'object',
  required: ['openapi', 'info', 'paths', 'components'],
  properties: {
    openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
    info: { type: 'object', required: ['title', 'version'] },
    security: { type: 'array', items: { type: 'object' } },
    paths: {
      type: 'object',
      minProperties: 1,
      patternProperties: {
        '^/': {
          type: 'object',
          minProperties: 1,
          patternProperties: { '^(get|post|delete)$': operation },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
    components: { type: 'object', required: ['securitySchemes', 'schemas'] },
  },
};

test('the OpenAPI document has the structure that OpenAPI 3.1 requires', () => {
  assert.ok(ajv.validate(shape, document), JSON.stringify(ajv.errors));
});

test('every reference in the OpenAPI document resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  assert.notEqual(references.length, 0);
  for (const path of references) {
    const found = path
      .split('/')
      .reduce<unknown>(
        (at, key) =>
          typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined,
        document,
      );
    assert.ok(found, path);
  }
});

test('every operation in the OpenAPI document has a unique id', () => {
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
});

describe('options in the OpenAPI document', () => {
  test('are all listed with every alias and their description', () => {
    const names = optionNames.flatMap((name) => [name, ...((table[name] as OptionRow).aliases ?? [])]);
    assert.deepEqual(Object.keys(Conversion.properties).sort(), names.sort());
    for (const name of optionNames) {
      const { description, noEffectReason }: OptionRow = table[name];
      const noEffectText =
        noEffectReason === undefined ? '' : ` Accepted, without effect: ${noEffectReason}.`;
      assert.equal(Conversion.properties[name]?.description, `${description}${noEffectText}`, name);
    }
  });

  test('have valid schemas that allow their defaults', () => {
    for (const [name, schema] of Object.entries(Conversion.properties)) {
      const validate = ajv.compile(schema);
      if ('default' in schema) assert.ok(validate(schema.default), name);
    }
  });
});

test('the OpenAPI document lists every failure under its status', () => {
  for (const { status, reason, when } of Object.values(catalogue)) {
    assert.ok(
      convert?.responses[String(status)]?.description.includes(`${status}.${reason}: ${when}`),
      `${status}.${reason}`,
    );
  }
});

test('the schema of an error accepts an error body, but not one whose status code is a string', () => {
  const validate = ajv.compile(ErrorBody);
  assert.ok(validate({ status_code: 400, reason_code: 311, message: 'x' }));
  assert.ok(!validate({ status_code: '400', message: 'x' }));
});

test('the OpenAPI document lists the response headers once per prefix', () => {
  const names = [
    'consumed-credits',
    'debug-log',
    'job-id',
    'note-codes',
    'notes',
    'output-size',
    'pages',
    'reason-code',
    'remaining-credits',
    'total-pages',
  ];
  const expected = [
    'repr-digest',
    ...['pdfcrowd', 'service'].flatMap((prefix) => names.map((name) => `x-${prefix}-${name}`)),
  ];
  assert.deepEqual(Object.keys(convert?.responses['200']?.headers ?? {}).sort(), expected);
});
