/** Writes an XMP packet (ISO 16684-1) that is equivalent to an information dictionary (ISO 19005-1, table 1). */

/** Entries of the information dictionary; missing ones are empty. Times have the format of ISO 32000-1, 7.9.4. */
export interface XmpFacts {
  readonly title: string;
  readonly author: string;
  readonly subject: string;
  readonly keywords: string;
  readonly creator: string;
  readonly producer: string;
  readonly created: string;
  readonly modified: string;
  /** The part and the conformance level of PDF/A (ISO 19005-2, 6.6.4); undefined if the document makes no claim. */
  readonly pdfA?: { readonly part: number; readonly conformance: string } | undefined;
  /** Whether the document claims to conform to PDF/UA-1 (ISO 14289-1, 5). */
  readonly isPdfUa?: boolean | undefined;
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
    facts.pdfA !== undefined && facts.isPdfUa === true ? pdfUaSchema : '',
  ];
  const begin = beginningOf(
    [
      facts.pdfA === undefined ? '' : ' xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"',
      facts.isPdfUa === true ? ' xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"' : '',
    ].join(''),
  );
  return `${begin}\n${lines.filter((line) => line !== '').join('\n')}\n${end}`;
}

const beginningOf = (furtherNamespaces: string) => `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"${furtherNamespaces}>`;

/** PDF/A requires a description of every property that it does not define itself (ISO 19005-2, 6.6.2.3). */
const pdfUaSchema = `<pdfaExtension:schemas xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA Universal Accessibility Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name>
<pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>The part of ISO 14289 to which the document conforms</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag>
</pdfaExtension:schemas>`;

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
