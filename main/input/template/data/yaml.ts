/** YAML 1.2, its core schema: no tags of the author's, aliases bounded, so that nothing but data can come out. */
import { parseDocument, type YAMLError } from 'yaml';
import { dataProblem, DataProblem } from './data-problem.ts';

const mostAliases = 100;

export function readYaml(text: string): unknown {
  const document = parseDocument(text, {
    schema: 'core',
    customTags: [],
    resolveKnownTags: false,
    merge: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const [first] = [...document.errors, ...document.warnings];
  if (first !== undefined) throw problem(text, first);
  try {
    return document.toJS({ maxAliasCount: mostAliases, mapAsMap: false }) as unknown;
  } catch (error) {
    if (error instanceof ReferenceError)
      throw new DataProblem(`The data is not valid YAML: ${lowered(error.message)}.`);
    throw error;
  }
}

function problem(text: string, error: YAMLError): DataProblem {
  return dataProblem('YAML', lowered(error.message), { text, offset: error.pos[0] });
}

function lowered(message: string): string {
  const clause = message.replace(/\.$/, '');
  return clause.slice(0, 1).toLowerCase() + clause.slice(1);
}
