/** Hostile stamps (PDF documents and images to place over a letter), certificates, and files of two types. */
import { deflateRawSync, deflateSync, crc32 } from 'node:zlib';
import { htmlFile, type Fields } from '../../../support/service/convert.ts';
import { zip } from '../../../support/archives/zip-writer.ts';
import type { HostileUpload } from './upload.ts';

const letter = '<p>letter';

const stamp = (what: string, make: () => string | Buffer, expected: RegExp): HostileUpload => ({
  what: `a stamp that is ${what}`,
  fields: () => ({
    text: letter,
    page_watermark: htmlFile(new Uint8Array(Buffer.from(make() as string, 'latin1')), 'a.pdf'),
  }),
  expected,
});

/** Returns a PDF with these objects, numbered from 1, and a cross-reference table. */
function pdf(objects: readonly (string | Buffer)[], trailer = '/Root 1 0 R'): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let at = 9;
  for (const [index, object] of objects.entries()) {
    places.push(at);
    const bytes = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(bytes);
    at += bytes.length;
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<</Size ${objects.length + 1} ${trailer}>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + end)]);
}

function stream(dictionary: string, bytes: Buffer): Buffer {
  const head = `<<${dictionary} /Length ${bytes.length}>>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')]);
}

const catalog = '<</Type/Catalog/Pages 2 0 R>>';
const pages = '<</Type/Pages/Kids[3 0 R]/Count 1>>';
const page = (more = '') => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]${more}>>`;
/** Compressed content of 300 MB, far above the limits. */
const bomb = () => deflateSync(Buffer.alloc(300_000_000, ' '), { level: 1 });

const documents: readonly HostileUpload[] = [
  stamp(
    'a PDF with a page of 300 MB',
    () => pdf([catalog, pages, page('/Contents 4 0 R'), stream('/Filter/FlateDecode', bomb())]),
    /^(converted: letter|400\.3(06|11) - )/,
  ),
  stamp(
    'a PDF with objects of 300 MB',
    () => pdf([catalog, pages, page(), stream('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', bomb())]),
    /^(converted: letter|400\.3(06|11) - )/,
  ),
  stamp(
    'a PDF compressed twice',
    () =>
      pdf([
        catalog,
        pages,
        page('/Contents 4 0 R'),
        stream('/Filter[/FlateDecode/FlateDecode]', deflateSync(bomb())),
      ]),
    /^(converted: letter|400\.3(06|11) - )/,
  ),
  stamp(
    'a PDF with a circular page tree',
    () => pdf([catalog, '<</Type/Pages/Kids[2 0 R]/Count 1>>']),
    /^400\.311 - /,
  ),
  stamp(
    'a PDF whose page is its own parent',
    () => pdf([catalog, '<</Type/Pages/Kids[3 0 R]/Count 1>>', '<</Type/Page/Parent 3 0 R>>']),
    /^(converted: letter|400\.311 - )/,
  ),
  stamp(
    'a PDF with 50,000 levels of pages',
    () =>
      pdf([
        catalog,
        ...Array.from({ length: 50_000 }, (_, at) => `<</Type/Pages/Kids[${at + 3} 0 R]/Count 1>>`),
        '<</Type/Page/MediaBox[0 0 9 9]>>',
      ]),
    /^(converted: letter|400\.3(06|11) - )/,
  ),
  stamp(
    'a PDF that declares a billion pages',
    () => pdf([catalog, '<</Type/Pages/Kids[3 0 R]/Count 1000000000>>', page()]),
    /^(converted: letter|400\.311 - )/,
  ),
  stamp('a PDF without pages', () => pdf([catalog, '<</Type/Pages/Kids[]/Count 0>>']), /^400\.311 - /),
  stamp(
    'a PDF with a circular cross-reference table',
    () =>
      `%PDF-1.7\nxref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 1/Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF\n`,
    /^400\.311 - /,
  ),
  stamp(
    'a PDF whose form draws itself',
    () =>
      pdf([
        catalog,
        pages,
        page('/Resources<</XObject<</X 4 0 R>>>>/Contents 5 0 R'),
        stream(
          '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 4 0 R>>>>',
          Buffer.from('/X Do'),
        ),
        stream('', Buffer.from('/X Do')),
      ]),
    /^(converted: letter|400\.311 - )/,
  ),
  stamp(
    'a PDF with a page of 1e38 points',
    () => pdf([catalog, pages, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 1e38 1e38]>>']),
    /^(converted: letter|400\.311 - )/,
  ),
  stamp(
    'a PDF with a page without area',
    () => pdf([catalog, pages, '<</Type/Page/Parent 2 0 R/MediaBox[5 5 5 5]>>']),
    /^(converted: letter|400\.311 - )/,
  ),
  stamp(
    'an encrypted PDF',
    () =>
      pdf(
        [
          catalog,
          pages,
          page(),
          `<</Filter/Standard/V 5/R 6/Length 256/P -4/O(${'o'.repeat(48)})/U(${'u'.repeat(48)})/OE(${'o'.repeat(32)})/UE(${'u'.repeat(32)})/Perms(${'p'.repeat(16)})>>`,
        ],
        '/Root 1 0 R/Encrypt 4 0 R/ID[(a)(a)]',
      ),
    /^400\.311 - .*(encrypted|password)/i,
  ),
  stamp(
    'a PDF nested 100,000 deep',
    () => pdf([catalog, pages, page(`/X ${'['.repeat(100_000)}`)]),
    /^(converted: letter|400\.311 - )/,
  ),
  stamp(
    'a PDF whose table of references declares a billion objects',
    () => pdf([catalog, pages, page(), stream('/Type/XRef/Size 1000000000/W[0 0 0]', Buffer.alloc(0))]),
    /^400\.311 - .* too complex/,
  ),
  stamp(
    'a PDF with a name of 99 MB',
    () =>
      pdf([
        catalog,
        pages,
        page(),
        stream(
          '/Type/ObjStm/N 1/First 4/Filter/FlateDecode',
          deflateSync(`9 0 /${'a'.repeat(99_000_000)}`, { level: 1 }),
        ),
      ]),
    /^400\.311 - .* too complex/,
  ),
  stamp(
    'a PDF of 49 million arrays',
    () =>
      pdf([
        catalog,
        pages,
        page(),
        stream(
          '/Type/ObjStm/N 1/First 4/Filter/FlateDecode',
          deflateSync(`9 0 [${'[]'.repeat(49_000_000)}]`, { level: 1 }),
        ),
      ]),
    /^400\.311 - .* too complex/,
  ),
  stamp(
    'a PDF whose object streams declare a billion objects',
    () => pdf([catalog, pages, page(), stream('/Type/ObjStm/N 1000000000/First 0', Buffer.from('1 0 1 0 '))]),
    /^(converted: letter|400\.311 - .* too complex)/,
  ),
  stamp(
    'a PDF of noise',
    () => `%PDF-1.7\n${Buffer.alloc(2_000_000, 'obj endobj << (').toString()}`,
    /^400\.311 - /,
  ),
  stamp(
    'a PDF that is also a zip',
    () => Buffer.concat([pdf([catalog, pages, page()]), zip([{ name: '../x', contents: 'x' }])]),
    /^(converted: letter|400\.311 - )/,
  ),
  stamp('neither an image nor a document', () => Buffer.alloc(100_000, 'x'), /^400\.311 - /),
  stamp('empty', () => '', /^400\.3(05|11) - /),
];

/** Returns a black PNG that declares `height` rows but contains only `rows`. */
function png(width: number, height: number, rows = 0): Buffer {
  const chunk = (type: string, bytes: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), bytes]);
    const length = Buffer.alloc(4);
    const sum = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const pixels = deflateSync(Buffer.alloc((width + 1) * rows));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const svg = (inside: string, before = '') =>
  `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99" height="99">${inside}</svg>`;

const images: readonly HostileUpload[] = [
  stamp('an image of 50,000 by 50,000 pixels', () => png(50_000, 50_000, 4000), /^400\.3(06|11) - /),
  stamp(
    'an image that declares a width of 2,000,000,000',
    () => png(2_000_000_000, 2_000_000_000),
    /^400\.3(06|11) - /,
  ),
  stamp('an image without area', () => png(0, 0), /^400\.311 - /),
  stamp('a truncated image', () => png(100, 100, 100).subarray(0, 60), /^400\.311 - /),
  stamp(
    'an SVG with a file as entity',
    () => svg('<text y="20">&x;</text>', '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
    /^(converted: letter|400\.311 - )(?!.*root:)/,
  ),
  stamp(
    'an SVG with a file as image',
    () => svg('<image xlink:href="file:///etc/passwd" width="9" height="9"/>'),
    /^(converted: letter|400\.311 - )(?!.*root:)/,
  ),
  stamp(
    'an SVG with a remote image',
    () => svg('<image href="http://127.0.0.1:9/" width="9" height="9"/>'),
    /^(converted: letter|400\.311 - )/,
  ),
  stamp(
    'an SVG with exponential entities',
    () =>
      svg(
        '<text>&j;</text>',
        `<!DOCTYPE svg [<!ENTITY a "ha">${'bcdefghij'
          .split('')
          .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghij'[at] ?? ''};`.repeat(10)}">`)
          .join('')}]>`,
      ),
    /^(converted: letter|400\.3(06|11) - )/,
  ),
  stamp(
    'an SVG that uses itself',
    () => svg('<g id="a"><use href="#a"/><use href="#a"/></g>'),
    /^(converted: letter|400\.311 - )/,
  ),
  stamp('a GIF that is also HTML', () => 'GIF89a=1;<script>alert(1)</script>', /^400\.311 - /),
];

/** There is no server at the URL, because the certificate is checked first. */
const certificate = (what: string, bytes: Buffer, expected: RegExp): HostileUpload => ({
  what: `a client certificate that is ${what}`,
  fields: (): Fields => ({
    url: 'https://192.0.2.1/',
    client_certificate: htmlFile(new Uint8Array(bytes), 'a.p12'),
  }),
  expected,
});

const certificates: readonly HostileUpload[] = [
  certificate('not a certificate', Buffer.from('garbage'), /^400\.311 - .*client_certificate/),
  certificate('20 MB of zeros', Buffer.alloc(20_000_000), /^400\.311 - .*client_certificate/),
  certificate(
    'of a wrong length',
    Buffer.from('30847fffffff020103', 'hex'),
    /^400\.311 - .*client_certificate/,
  ),
  certificate(
    'nested endlessly',
    Buffer.from('3080'.repeat(50_000), 'hex'),
    /^400\.311 - .*client_certificate/,
  ),
];

const sent = (what: string, bytes: () => Buffer, expected: RegExp): HostileUpload => ({
  what,
  fields: () => ({ file: htmlFile(new Uint8Array(bytes()), 'a.html') }),
  expected,
});

/** Files that are valid in two formats, and files of other formats instead of a page. */
const polyglots: readonly HostileUpload[] = [
  sent(
    'a page that is also a zip',
    () => Buffer.concat([Buffer.from('<p>page</p><!--'), zip([{ name: '../x', contents: 'x' }])]),
    /^400\.305 - .*binary file/,
  ),
  sent(
    'a zip that is also a page',
    () => zip([{ name: 'index.html', contents: '<p>page' }], { comment: Buffer.from('<p>comment') }),
    /^(converted: page|400\.312 - )/,
  ),
  sent('a PDF instead of a page', () => pdf([catalog, pages, page()]), /^400\.305 - /),
  sent(
    'a PDF that is also a page',
    () => Buffer.concat([pdf([catalog, pages, page()]), Buffer.from('<script>document.write(1)</script>')]),
    /^400\.305 - /,
  ),
  sent('a page as a raw deflate stream', () => deflateRawSync('<p>page'), /^(400\.305 - |converted: )/),
];

export const stamps = [...documents, ...images, ...certificates, ...polyglots];
