/** Reads the fields that Pdfcrowd's official clients can send from the source code of the clients. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientName } from './official-client.ts';
import { project } from '../service/service.ts';

export interface Setter {
  readonly method: string;
  /** The number of parameters. */
  readonly parameters: number;
  /** The form fields that it sets. */
  readonly fields: readonly string[];
  /** The allowed values of an enumeration; empty for any other type. */
  readonly words: readonly string[];
}

/** Returns the names of all fields and file parts that the methods of a client set. */
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
    name,
    parameters,
    body,
  }));
}

function fieldsIn(body: string): string[] {
  return [...body.matchAll(/\.(?:fields|files|rawData)\['(\w+)'\] = /g)].map(([, name = '']) => name);
}
