/**
 * Reads the XML of an e-invoice: finds its profile and validates it with the schema of that profile (Factur-X 1.0, which is the same
 * as ZUGFeRD from version 2.1; ZUGFeRD 2.0; XRechnung in the syntax CII).
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Libxml2 from 'libxml2-wasm';
import type { ErrorDetail, XmlDocument, XsdValidator } from 'libxml2-wasm';
import { guardedImport } from '../../../async/thread-guard.ts';
import type { Relationship } from '../../../job/option-kinds.ts';
import { Failure, shortened } from '../../../failure/failure.ts';

/** How an e-invoice is named in a document, and what its metadata say. */
export interface Invoice {
  /** The name of the attached file, which readers of e-invoices look for. */
  readonly fileName: string;
  readonly relationship: Relationship;
  /** The profile as in the metadata, such as `EN 16931`. */
  readonly conformanceLevel: string;
  /** The version of the standard as in the metadata. */
  readonly version: string;
  /** The namespace of the metadata and its usual prefix. */
  readonly namespace: string;
  readonly prefix: string;
}

type SchemaName = 'minimum' | 'basic-wl' | 'basic' | 'en16931' | 'extended';

interface InvoiceProfile extends Pick<Invoice, 'conformanceLevel'> {
  readonly schema: SchemaName;
}

/** The profiles by the end of their identifier, without `urn:factur-x.eu:1p0:` or `urn:zugferd.de:2p0:`. */
const profiles: Readonly<Record<string, InvoiceProfile>> = {
  minimum: { conformanceLevel: 'MINIMUM', schema: 'minimum' },
  basicwl: { conformanceLevel: 'BASIC WL', schema: 'basic-wl' },
  basic: { conformanceLevel: 'BASIC', schema: 'basic' },
  extended: { conformanceLevel: 'EXTENDED', schema: 'extended' },
};

const facturX = {
  fileName: 'factur-x.xml',
  version: '1.0',
  namespace: 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#',
  prefix: 'fx',
} as const;

const zugferd20 = {
  fileName: 'zugferd-invoice.xml',
  version: '2p0',
  namespace: 'urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#',
  prefix: 'zf',
} as const;

/** The EN 16931 itself, and its restrictions and extensions, begin with this identifier. */
const en16931 = 'urn:cen.eu:en16931:2017';

/**
 * Checks the XML. The schemas are in a folder for each profile. @throws Failure dataInvalid if the XML is no e-invoice in the syntax
 * CII, names no known profile, or does not conform to the schema of its profile
 */
export async function readInvoice(xml: Uint8Array, schemaFolder = defaultFolder()): Promise<Invoice> {
  const library = await guardedImport(() => import('libxml2-wasm'));
  using document = parse(xml, library);
  checkSyntax(document);
  const id = profileId(document);
  const { schema, ...invoice } = profileOf(id);
  const validator = await validatorFor(join(schemaFolder, schema), library);
  try {
    validator.validate(document);
  } catch (problem) {
    if (!(problem instanceof library.XmlValidateError)) throw problem;
    throw invalid(
      `does not conform to the schema of its profile ${invoice.conformanceLevel}: ${describe(problem.details)}`,
    );
  }
  return invoice;
}

type Library = typeof Libxml2;

function defaultFolder(): string {
  return join(import.meta.dirname, 'invoice-schemas');
}

function parse(xml: Uint8Array, { XmlDocument: documents, XmlParseError }: Library): XmlDocument {
  try {
    return documents.fromBuffer(xml);
  } catch (problem) {
    if (!(problem instanceof XmlParseError)) throw problem;
    throw invalid(`is not well-formed: ${describe(problem.details)}`);
  }
}

/** The root elements of formats that are mistaken for CII, and what they are. */
const otherFormats: Readonly<Record<string, string>> = {
  Invoice: 'UBL',
  CreditNote: 'UBL',
  CrossIndustryDocument: 'ZUGFeRD 1.0',
  SCRDMCCBDACIOMessageStructure: 'Order-X',
};

const invoiceNamespace = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100';

function checkSyntax(document: XmlDocument): void {
  if (document.dtd !== null) throw invalid('has a document type declaration, which e-invoices must not have');
  const { name, namespaceUri } = document.root;
  if (name === 'CrossIndustryInvoice' && namespaceUri === invoiceNamespace) return;
  const format = otherFormats[name];
  const found = format === undefined ? '' : `, which is ${format}`;
  throw invalid(
    `has the root element ${shortened(name)}${found}; it must be CrossIndustryInvoice in the namespace ${invoiceNamespace} (CII)`,
  );
}

/** Returns the identifier of the profile (BT-24). */
function profileId(document: XmlDocument): string {
  const path =
    "/*/*[local-name()='ExchangedDocumentContext']/*[local-name()='GuidelineSpecifiedDocumentContextParameter']/*[local-name()='ID']";
  const id = document.get(path)?.content.trim() ?? '';
  if (id !== '') return id;
  throw invalid(
    `names no profile; add GuidelineSpecifiedDocumentContextParameter with an ID such as '${en16931}' to ExchangedDocumentContext`,
  );
}

/** @throws Failure dataInvalid for an unknown profile */
function profileOf(id: string): Invoice & Pick<InvoiceProfile, 'schema'> {
  if (id === en16931)
    return { ...facturX, conformanceLevel: 'EN 16931', schema: 'en16931', relationship: 'Alternative' };
  const [standardId = '', extension] = id.split('#conformant#');
  const version = /^urn:cen\.eu:en16931:2017#compliant#.*:xrechnung_(\d\.\d)$/.exec(standardId)?.[1];
  if (version !== undefined) {
    const schema = extension === undefined ? 'en16931' : 'extended';
    const names = { fileName: 'xrechnung.xml', conformanceLevel: 'XRECHNUNG', version } as const;
    return { ...facturX, ...names, schema, relationship: 'Alternative' };
  }
  const [, standard, name = ''] =
    /^(?:urn:cen\.eu:en16931:2017#(?:compliant|conformant)#)?urn:(factur-x\.eu:1p0|zugferd\.de:2p0):(\w+)$/.exec(
      id,
    ) ?? [];
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined)
    throw invalid(
      `has the unknown profile '${shortened(id)}'; known are Factur-X 1.0 and ZUGFeRD 2.x (minimum, basicwl, basic, extended), ${en16931} and XRechnung`,
    );
  // The first two profiles lack parts of the invoice, so they are no alternative to the document.
  const relationship = ['minimum', 'basicwl'].includes(name) ? 'Data' : 'Alternative';
  return { ...(standard === 'zugferd.de:2p0' ? zugferd20 : facturX), ...profile, relationship };
}

/** The validators that this thread has opened, by the folder of their schema. */
const validators = new Map<string, Promise<XsdValidator>>();

function validatorFor(folder: string, library: Library): Promise<XsdValidator> {
  const existing = validators.get(folder);
  if (existing !== undefined) return existing;
  const opened = openValidator(folder, library);
  validators.set(folder, opened);
  // The files may be unreadable only for now, for example if too many files are open.
  opened.catch(() => validators.delete(folder));
  return opened;
}

/** Reads the schemas of a folder. The main one imports the others by their names. */
async function openValidator(folder: string, library: Library): Promise<XsdValidator> {
  const names = await readdir(folder);
  const files = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  );
  const main = names.find((name) => !name.endsWith('_100.xsd')) ?? '';
  const provider = new library.XmlBufferInputProvider(files);
  library.xmlRegisterInputProvider(provider);
  try {
    using document = library.XmlDocument.fromBuffer(files[main] ?? Buffer.alloc(0), { url: main });
    return library.XsdValidator.fromDoc(document);
  } finally {
    library.xmlCleanupInputProvider();
  }
}

const maxProblems = 5;
/** Characters of one problem. A message may list all elements that are possible at a place. */
const maxLength = 400;

/** Describes the first problems, each with its line, without namespaces. */
function describe(details: readonly ErrorDetail[]): string {
  const texts = details.map(({ line, message }) => {
    const text = withoutValues(message)
      .replaceAll(/\{[^{}]*\}/g, '')
      .trim();
    return `line ${line}: ${text.replace(/\.$/, '').slice(0, maxLength)}`;
  });
  const more = texts.length > maxProblems ? `; and ${texts.length - maxProblems} more` : '';
  return `${texts.slice(0, maxProblems).join('; ')}${more}`;
}

/** Removes values of the XML, such as an account number, from a message of libxml2, because logs contain no contents of requests. */
function withoutValues(message: string): string {
  const facets = [' is', ' has'].reduce((text, verb) => withoutQuoted(text, 'The value ', verb), message);
  return withoutQuoted(facets, ': ', ' is not a valid value').replace(': is not', ': the content is not');
}

/** Removes the quoted text between `begin` and `end`. It may contain quotation marks itself. */
function withoutQuoted(message: string, begin: string, end: string): string {
  const from = message.indexOf(`${begin}'`);
  const to = message.lastIndexOf(`'${end}`);
  if (from === -1 || to < from + begin.length + 1) return message;
  return message.slice(0, from + begin.length).trimEnd() + message.slice(to + 1);
}

function invalid(problem: string): Failure {
  return new Failure('dataInvalid', `The XML in invoice_xml ${problem}.`);
}
