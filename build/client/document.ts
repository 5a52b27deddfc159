/** The OpenAPI document of the service, as JSON. */
import { openApiDocument } from '../../main/http/openapi.ts';
import type { Schema } from './schema.ts';

export interface ApiDocument {
  readonly paths: Readonly<
    Record<string, { readonly post?: { readonly responses: Readonly<Record<string, Response>> } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Response {
  readonly headers?: Readonly<Record<string, DocumentHeader>>;
}

export interface DocumentHeader {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: { readonly type: 'string' | 'integer' };
}

export function apiDocument(): ApiDocument {
  return JSON.parse(JSON.stringify(openApiDocument(['service']))) as ApiDocument;
}

export const notice =
  '/** Generated from the OpenAPI document by `npm run generate`; edit the tables in main/ instead. */\n';
