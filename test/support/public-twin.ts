/** What the public twin's official clients can send, read out of their source: nobody keeps a list of it by hand. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientName } from './official-client.ts';
import { project } from './service.ts';

export interface Setter {
  readonly method: string;
  /** How many arguments it takes. */
  readonly parameters: number;
  /** The fields of the form it fills itself. */
  readonly fields: readonly string[];
  /** The words it lets through, where it takes one of a few. */
  readonly words: readonly string[];
}

/** The names of all fields and file parts that one client has methods for. */
export function twinFields(client: ClientName): string[] {
  const names = methodsOf(client).flatMap(({ body }) => fieldsIn(body));
  return [...new Set(names)];
}

export function twinSetters(client: ClientName): Setter[] {
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
