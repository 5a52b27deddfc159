/** Writes an XMP packet (ISO 16684-1) that is equivalent to an information dictionary (ISO 19005-1, table 1). */

import type { Invoice } from './attachments/invoice.ts';

/** Entries of the information dictionary; missing ones are empty. Times have the format of ISO 32000-1, 7.9.4. */
interface XmpFacts extends XmpClaims {
  readonly title: string;
  readonly author: string;
  readonly subject: string;
  readonly keywords: string;
  readonly creator: string;
  readonly producer: string;
  readonly created: string;
  readonly modified: string;
}

/** What the document claims to be. */
export interface XmpClaims {
  /** The part and the conformance level of PDF/A (ISO 19005-2, 6.6.4); undefined if the document makes no claim. */
  readonly pdfA?: { readonly part: number; readonly conformance: string } | undefined;
  /** Whether the document claims to conform to PDF/UA-1 (ISO 14289-1, 5). */
  readonly isPdfUa?: boolean | undefined;
  /** The e-invoice in the document. */
  readonly invoice?: Invoice | undefined;
}

export function xmpPacket(facts: XmpFacts): string {
  const lines = [
    '<dc:format>application/pdf</dc:format>',
    property('dc:title', facts.title, languageAlternative),
    property('dc:creator', facts.author, orderedArray),
    property('dc:description', facts.subject, languageAlternative),
    property('pdf:Keywords', facts.keywords),
    property('pdf:Producer', facts.producer),
    property('xmp:CreatorTool', facts.creator),
    property('xmp:CreateDate', isoDate(facts.created)),
    property('xmp:ModifyDate', isoDate(facts.modified)),
    property('pdfaid:part', String(facts.pdfA?.part ?? '')),
    property('pdfaid:conformance', facts.pdfA?.conformance ?? ''),
    property('pdfuaid:part', facts.isPdfUa === true ? '1' : ''),
    ...(facts.invoice === undefined ? [] : invoiceProperties(facts.invoice)),
    facts.pdfA === undefined ? '' : extensionSchemas(facts),
  ];
  const begin = beginningOf(
    [
      facts.pdfA === undefined ? '' : ' xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"',
      facts.isPdfUa === true ? ' xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"' : '',
      facts.invoice === undefined ? '' : ` xmlns:${facts.invoice.prefix}="${facts.invoice.namespace}"`,
    ].join(''),
  );
  return `${begin}\n${lines.filter((line) => line !== '').join('\n')}\n${end}`;
}

const beginningOf = (furtherNamespaces: string) => `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"${furtherNamespaces}>`;

/** The properties of an e-invoice (Factur-X 1.0, 6.2.2). */
function invoiceProperties({ prefix, fileName, version, conformanceLevel }: Invoice): string[] {
  return [
    property(`${prefix}:DocumentType`, 'INVOICE'),
    property(`${prefix}:DocumentFileName`, fileName),
    property(`${prefix}:Version`, version),
    property(`${prefix}:ConformanceLevel`, conformanceLevel),
  ];
}

interface ExtensionSchema {
  readonly name: string;
  readonly namespace: string;
  readonly prefix: string;
  readonly properties: readonly {
    readonly name: string;
    readonly valueType: string;
    readonly category: 'internal' | 'external';
    readonly description: string;
  }[];
}

const pdfUaSchema: ExtensionSchema = {
  name: 'PDF/UA Universal Accessibility Schema',
  namespace: 'http://www.aiim.org/pdfua/ns/id/',
  prefix: 'pdfuaid',
  properties: [
    {
      name: 'part',
      valueType: 'Integer',
      category: 'internal',
      description: 'The part of ISO 14289 to which the document conforms',
    },
  ],
};

function invoiceSchema({ namespace, prefix }: Invoice): ExtensionSchema {
  const text = (name: string, description: string) => ({
    name,
    valueType: 'Text',
    category: 'external' as const,
    description,
  });
  return {
    name: 'Factur-X PDFA Extension Schema',
    namespace,
    prefix,
    properties: [
      text('DocumentFileName', 'The name of the embedded XML document'),
      text('DocumentType', 'The type of the hybrid document'),
      text('Version', 'The version of the standard of the embedded XML document'),
      text('ConformanceLevel', 'The conformance level of the embedded XML document'),
    ],
  };
}

/** PDF/A requires a description of every property that it does not define itself (ISO 19005-2, 6.6.2.3). */
function extensionSchemas({ isPdfUa, invoice }: XmpClaims): string {
  const schemas = [
    ...(isPdfUa === true ? [pdfUaSchema] : []),
    ...(invoice === undefined ? [] : [invoiceSchema(invoice)]),
  ];
  if (schemas.length === 0) return '';
  return `<pdfaExtension:schemas xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<rdf:Bag>${schemas.map(extensionSchema).join('\n')}</rdf:Bag>
</pdfaExtension:schemas>`;
}

function extensionSchema({ name, namespace, prefix, properties }: ExtensionSchema): string {
  const descriptions = properties.map(
    (property) => `<rdf:li rdf:parseType="Resource">
<pdfaProperty:name>${property.name}</pdfaProperty:name>
<pdfaProperty:valueType>${property.valueType}</pdfaProperty:valueType>
<pdfaProperty:category>${property.category}</pdfaProperty:category>
<pdfaProperty:description>${property.description}</pdfaProperty:description>
</rdf:li>`,
  );
  return `<rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>${name}</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>${prefix}</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>${descriptions.join('\n')}</rdf:Seq></pdfaSchema:property>
</rdf:li>`;
}

const end = `</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`;

function property(name: string, text: string, wrap = (value: string) => value): string {
  return text === '' ? '' : `<${name}>${wrap(escapeXml(text))}</${name}>`;
}

function languageAlternative(text: string): string {
  return `<rdf:Alt><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:Alt>`;
}

function orderedArray(text: string): string {
  return `<rdf:Seq><rdf:li>${text}</rdf:li></rdf:Seq>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Characters that XML 1.0 cannot represent, and unpaired surrogates. */
const invalidXmlCharacters = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

function escapeXml(text: string): string {
  return text.replace(invalidXmlCharacters, '').replace(/[&<>]/g, (character) => entities[character] ?? '');
}

/** Converts `D:20261121120429+01'00'` to 2026-11-21T12:04:29+01:00. Returns an empty string for an invalid date. */
function isoDate(date: string): string {
  const match = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?/.exec(date);
  if (match === null) return '';
  const [, year = '', month = '01', day = '01', hour = '00', minute = '00', second = '00'] = match;
  const [, , , , , , , sign, hours = '00', minutes = '00'] = match;
  const zone = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
}
