/** Reads the bytes of a data file (JSON, XML, YAML or CSV) into plain data. */
import { CsvError, parse } from 'csv-parse/sync';
import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { printParseErrorCode, visit, type ParseErrorCode } from 'jsonc-parser/lib/esm/main.js';
import { XMLParser } from 'fast-xml-parser';
import { SyntaxValidator } from 'fast-xml-validator';
import { parseDocument, visit as visitYaml, type Document, type YAMLError } from 'yaml';
import { dictionary, isPlainObject, markElement, type WrittenNumber, type PlainObject } from '../values.ts';
import type { DataFormat, TemplateOptions } from '../fill-template.ts';
import { delimiterOf } from './csv-delimiter.ts';
import { isDecimal } from './decimal.ts';
import { formatOf } from './format-of.ts';
import { writtenNumber, parseJson } from './json-numbers.ts';
import { quoted, positionOf, excerpt } from '../problem.ts';
import { bufferOf } from '../../bytes.ts';
import { messageOf } from '../../../failure/failure.ts';

interface ReadData {
  readonly data: PlainObject;
  readonly format: DataFormat;
}

/**
 * Returns the data as one object, and its format. Data that is not an object (a list, CSV rows, a single value) becomes the
 * property `data` of an object, or the property that data_root names.
 * @throws DataProblem
 */
export function readData(bytes: Uint8Array, options: TemplateOptions): ReadData {
  const details = readDataOptions(options.data_options);
  const text = decoded(bytes, options.data_encoding);
  if (!/\S/.test(text)) throw new DataProblem('The data is empty.');
  const format = options.data_format === 'auto' ? formatOf(text, details) : options.data_format;
  const value = readers[format](text, details);
  return { format, data: isPlainObject(value) ? value : dictionary([[details.dataRoot, value]]) };
}

const readers: Readonly<Record<DataFormat, (text: string, options: DataOptions) => unknown>> = {
  json: readJson,
  xml: readXml,
  yaml: readYaml,
  csv: readCsv,
};

/** Parses CSV. The first row names the columns; each further row becomes an object whose values are strings. */
function readCsv(text: string, { csvDelimiter }: DataOptions): unknown[] {
  const [names = [], ...rows] = records(text, csvDelimiter ?? delimiterOf(text));
  const columns = names.map((name) => name.trim());
  // Creates objects without prototypes, because a column may be called __proto__.
  return rows.map((row) => dictionary(columns.map((name, index) => [name, row[index] ?? ''])));
}

function records(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { delimiter, skip_empty_lines: true, bom: true, relax_column_count_less: false });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const lines = (error as { lines?: number }).lines ?? 1;
    const column = (error as { column?: unknown }).column;
    const position = typeof column === 'number' ? `line ${lines}, column ${column + 1}` : `line ${lines}`;
    const line = text.split('\n', lines)[lines - 1] ?? '';
    throw new DataProblem(
      `The data is not valid CSV at ${position} (counted in values): ${error.message.replace(/\.$/, '')}, near ${quoted(line)}.`,
    );
  }
}

/**
 * Decodes the data. A byte order mark takes precedence over the option.
 * @throws DataProblem for an unknown encoding, and for invalid UTF-8.
 */
export function decoded(bytes: Uint8Array, encoding: string): string {
  const buffer = bufferOf(bytes);
  const name = encodingOfMark(buffer) ?? (encoding.trim().toLowerCase() || 'utf-8');
  if (/^utf-?8$/.test(name)) return utf8(buffer);
  const decoder = decoderFor(name);
  if (decoder !== undefined) return decoder.decode(buffer);
  if (!iconv.encodingExists(name))
    throw new DataProblem(
      `The data_encoding '${encoding}' is not known; use, for example, utf-8, utf-16 or windows-1252.`,
    );
  return iconv.decode(buffer, name);
}

function encodingOfMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function utf8(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes);
  if (isUtf8(bytes)) return text;
  const { line, column } = positionOf(text, text.indexOf('\ufffd'));
  throw new DataProblem(
    `The data is not UTF-8 at line ${line}, column ${column}; send data_encoding with its character set, such as windows-1252.`,
  );
}

/** Returns a decoder for an encoding that browsers support, or undefined for others, such as those of DOS and mainframes. */
function decoderFor(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON with JSON.parse, which is fast but does not report the position of an error; another parser then finds it.
 * `__proto__` in the data becomes an own property. @throws DataProblem
 */
export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw jsonProblem(text, messageOf(error));
  }
}

function jsonProblem(text: string, message: string): DataProblem {
  let first: { code: ParseErrorCode; offset: number } | undefined;
  visit(
    text,
    {
      onError: (code, offset) => {
        first ??= { code, offset };
      },
    },
    { disallowComments: true, allowTrailingComma: false },
  );
  if (first === undefined) return dataProblem('JSON', message, { text, offset: 0 });
  return dataProblem('JSON', inWords(printParseErrorCode(first.code)), { text, offset: first.offset });
}

/** Turns "PropertyNameExpected" into "property name expected". */
function inWords(code: string): string {
  const words = code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words === 'invalid symbol' ? 'this is not a JSON value' : words;
}

/**
 * Reads XML as objects: repeated elements become a list, an attribute becomes `@name`, and text next to attributes or elements
 * becomes `#text`. Document types are refused, so that only predefined entities are expanded. @throws DataProblem
 */
function readXml(text: string, { xmlRemoveRoot }: DataOptions): unknown {
  const declared = /<!(DOCTYPE|ENTITY)/i.exec(text);
  if (declared !== null)
    throw dataProblem('XML', 'a document type is not allowed', { text, offset: declared.index });
  validateXml(text);
  const document = parseXml(text);
  markElements(document);
  const [root] = isPlainObject(document) ? Object.values(document) : [];
  return xmlRemoveRoot && root !== undefined ? root : document;
}

function markElements(document: unknown): void {
  const left = [document];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (isPlainObject(value)) markElement(value);
    // A spread would pass each member as an argument, whose number V8 limits.
    if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) left.push(member);
  }
}

/** Throws a DataProblem for invalid XML. The validator throws an Error with `line` and `col`. */
function validateXml(text: string): void {
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

/** Parses XML. Values stay strings, because `007` is not 7 and `1.10` is not 1.1. */
function parseXml(text: string): unknown {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    processEntities: true,
    // Also expands numeric character references, each to one character.
    htmlEntities: true,
  });
  try {
    return parser.parse(text) as unknown;
  } catch (error) {
    throw new DataProblem(`The data is not valid XML: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

const maxAliases = 100;

/** Reads YAML 1.2 with the core schema, without custom tags and with a limited number of aliases. */
function readYaml(text: string): unknown {
  const document = parseDocument(text, {
    schema: 'core',
    customTags: [],
    resolveKnownTags: false,
    merge: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const [first] = [...document.errors, ...document.warnings];
  if (first !== undefined) throw yamlProblem(text, first);
  keepDigits(document);
  try {
    return document.toJS({ maxAliasCount: maxAliases, mapAsMap: false }) as unknown;
  } catch (error) {
    if (error instanceof ReferenceError)
      throw new DataProblem(`The data is not valid YAML: ${lowerFirst(error.message)}.`);
    throw error;
  }
}

/** Keeps how decimal numbers are written: `01067` may be a postal code. */
function keepDigits(document: Document.Parsed): void {
  const numbers = new Map<string, WrittenNumber>();
  visitYaml(document, {
    Scalar(_key, node) {
      const { source, value } = node;
      if (typeof value === 'number' && source !== undefined && isDecimal(source) && source !== String(value))
        node.value = writtenNumber(source, numbers);
    },
  });
}

function yamlProblem(text: string, error: YAMLError): DataProblem {
  return dataProblem('YAML', lowerFirst(error.message), { text, offset: error.pos[0] });
}

function lowerFirst(message: string): string {
  const clause = message.replace(/\.$/, '');
  return clause.slice(0, 1).toLowerCase() + clause.slice(1);
}

/** The values of `data_options`: comma-separated `key=value`. */
interface DataOptions {
  /** Undefined if the delimiter is to be recognised. */
  readonly csvDelimiter: string | undefined;
  readonly xmlRemoveRoot: boolean;
  readonly dataRoot: string;
}

function readDataOptions(text = ''): DataOptions {
  const options = new Map(optionEntries(text));
  const dataRoot = options.get('data_root') ?? 'data';
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(dataRoot))
    throw new DataProblem(`The data_root '${dataRoot}' in data_options is not a valid name.`);
  const removeRoot = (options.get('xml_remove_root') ?? 'false').toLowerCase();
  if (!/^(true|false|1|0|)$/.test(removeRoot))
    throw new DataProblem(`The xml_remove_root '${removeRoot}' in data_options is neither true nor false.`);
  return {
    csvDelimiter: delimiter(options.get('csv_delimiter')),
    xmlRemoveRoot: /^(true|1)$/.test(removeRoot),
    dataRoot,
  };
}

const knownOptions = ['csv_delimiter', 'xml_remove_root', 'data_root'];

/** Splits data_options into names and values. The CSV delimiter may be a comma: `csv_delimiter=,,data_root=rows`. */
function optionEntries(text: string): [string, string][] {
  return text
    .split(/,(?=\s*[a-z_]+\s*=)/)
    .filter((pair) => /\S/.test(pair))
    .map((pair) => {
      const name = pair
        .slice(0, Math.max(0, pair.indexOf('=')))
        .trim()
        .toLowerCase();
      if (!knownOptions.includes(name))
        throw new DataProblem(
          `'${pair.trim()}' in data_options is not known; allowed: comma-separated key=value with the keys ${knownOptions.join(', ')}.`,
        );
      const value = pair.slice(pair.indexOf('=') + 1);
      return [name, name === 'csv_delimiter' ? value : value.trim()];
    });
}

function delimiter(delimiterText: string | undefined): string | undefined {
  if (delimiterText === undefined) return undefined;
  const value = delimiterText === '\\t' || /^tab$/i.test(delimiterText) ? '\t' : delimiterText;
  if (value === '' || value.length > 8 || /["\r\n]/.test(value))
    throw new DataProblem(`The csv_delimiter '${delimiterText}' in data_options cannot separate values.`);
  return value;
}

/** An error in the data or in the options for reading it. */
export class DataProblem extends Error {}

/** Returns a DataProblem such as "The data is not valid JSON at line 2, column 5: ..., near '...'." */
function dataProblem(format: string, clause: string, source: { text: string; offset: number }): DataProblem {
  const position = positionOf(source.text, source.offset);
  return new DataProblem(
    `The data is not valid ${format} at line ${position.line}, column ${position.column}: ${clause}, near ${excerpt(source.text, position)}.`,
  );
}
