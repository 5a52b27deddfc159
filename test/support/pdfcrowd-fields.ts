/** The fields that Pdfcrowd's official clients can send, read from their source code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientName } from './official-client.ts';
import { project } from './service.ts';

export interface Setter {
  readonly method: string;
  /** The number of its arguments. */
  readonly parameters: number;
  /** The form fields that it sets. */
  readonly fields: readonly string[];
  /** The values that it accepts, if it takes an enumeration. */
  readonly words: readonly string[];
}

/** The names of all fields and file parts that a client has methods for. */
export function pdfcrowdFields(client: ClientName): string[] {
  const names = methodsOf(client).flatMap(({ body }) => fieldsIn(body));
  return [...new Set(names)];
}

export function pdfcrowdSetters(client: ClientName): Setter[] {
  return methodsOf(client)
    .filter(({ name }) => name.startsWith('set'))
    .map(({ name, parameters, body }) => ({
      method: name,
      parameters: parameters.split(',').length,
      fields: fieldsIn(body),
      words: /\.match\(\/\^\(([\w|.-]+)\)\$\/i\)/.exec(body)?.[1]?.split('|') ?? [],
    }));
}

function methodsOf(client: ClientName) {
  const source = readFileSync(join(project, 'node_modules/pdfcrowd/lib/pdfcrowd.js'), 'utf8');
  const method = new RegExp(`^${client}\\.prototype\\.(\\w+) = function\\(([^)]*)\\) \\{(.*?)^\\};?$`, 'gms');
  return [...source.matchAll(method)].map(([, name = '', parameters = '', body = '']) => ({
    ...{ name, parameters, body },
  }));
}

function fieldsIn(body: string): string[] {
  return [...body.matchAll(/\.(?:fields|files|rawData)\['(\w+)'\] = /g)].map(([, name = '']) => name);
}
