/** XML as objects: elements of one name are a list, attributes are `@name`, text beside them `#text`. No entity is expanded but XML's five. */
import { XMLParser } from 'fast-xml-parser';
import { SyntaxValidator } from 'fast-xml-validator';
import { isPlainObject } from '../values.ts';
import { dataProblem, DataProblem } from './data-problem.ts';
import type { DataOptions } from './options.ts';

export function readXml(text: string, { xmlRemoveRoot }: DataOptions): unknown {
  const declared = /<!(DOCTYPE|ENTITY)/i.exec(text);
  if (declared !== null)
    throw dataProblem('XML', 'a document type is not allowed', { text, offset: declared.index });
  check(text);
  const document = parsed(text);
  const [root] = isPlainObject(document) ? Object.values(document) : [];
  return xmlRemoveRoot && root !== undefined ? root : document;
}

/** The validator throws an Error with `line` and `col`. */
function check(text: string): void {
  try {
    SyntaxValidator.validate(text);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RangeError) throw error;
    const { line = 1, col = 1 } = error as { line?: number; col?: number };
    const before = text.split('\n', line - 1);
    const offset = before.reduce((sum, each) => sum + each.length + 1, 0) + col - 1;
    throw dataProblem('XML', error.message.replace(/\.$/, ''), { text, offset });
  }
}

/** Values stay texts: `007` is no 7, and `1.10` no 1.1. */
function parsed(text: string): unknown {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    processEntities: true,
    // Character references are in the same table; each stands for one character.
    htmlEntities: true,
  });
  try {
    return parser.parse(text) as unknown;
  } catch (error) {
    throw new DataProblem(`The data is not valid XML: ${error instanceof Error ? error.message : ''}.`, {
      cause: error,
    });
  }
}
