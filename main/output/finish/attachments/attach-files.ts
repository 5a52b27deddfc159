/** Attaches files to a document (ISO 32000-1, 7.11.4; ISO 19005-3, 6.8 and annex E). */
import { createHash } from 'node:crypto';
import { PDFDict, PDFHexString, PDFName, PDFString, type PDFDocument, type PDFRef } from '@cantoo/pdf-lib';
import { creationDateOf } from '../document-info.ts';
import type { Relationship } from '../../../job/option-kinds.ts';
import { createNameTree } from '../select/pdf-tree.ts';

export interface AttachedFile {
  readonly name: string;
  /** The media type, such as `application/xml`. */
  readonly contentType: string;
  readonly relationship: Relationship;
  /** Empty if there is none. */
  readonly description: string;
  readonly bytes: Uint8Array;
}

/** Attaches the files in their order. Their dates are the date of the document. Call it once for a document. */
export function attachFiles(document: PDFDocument, files: readonly AttachedFile[]): void {
  const { context, catalog } = document;
  const specifications = files.map((file) => fileSpecification(document, file));
  catalog.set(PDFName.of('AF'), context.obj(specifications));
  const keys = uniqueKeys(files.map(({ name }) => name));
  const tree = createNameTree(
    context,
    specifications.map((reference, index) => [PDFHexString.fromText(keys[index] ?? ''), reference]),
  );
  if (tree !== undefined) namesOf(document).set(PDFName.of('EmbeddedFiles'), tree);
}

function fileSpecification(document: PDFDocument, file: AttachedFile): PDFRef {
  const { context } = document;
  const { name, contentType, relationship, description, bytes } = file;
  const created = creationDateOf(document);
  const stream = context.flateStream(bytes, {
    Type: 'EmbeddedFile',
    Subtype: PDFName.of(contentType),
    Params: {
      Size: bytes.length,
      CheckSum: PDFHexString.of(createHash('md5').update(bytes).digest('hex')),
      ...(created !== '' && { CreationDate: PDFString.of(created), ModDate: PDFString.of(created) }),
    },
  });
  const content = context.register(stream);
  return context.register(
    context.obj({
      Type: 'Filespec',
      F: PDFHexString.fromText(name),
      UF: PDFHexString.fromText(name),
      EF: { F: content, UF: content },
      AFRelationship: relationship,
      ...(description !== '' && { Desc: PDFHexString.fromText(description) }),
    }),
  );
}

/** Returns the names as keys of a name tree, in which files with the same name get a number. */
function uniqueKeys(names: readonly string[]): readonly string[] {
  const keys = new Set<string>();
  for (const name of names) {
    let key = name;
    for (let number = 2; keys.has(key); number += 1) key = `${name} (${number})`;
    keys.add(key);
  }
  return [...keys];
}

function namesOf({ context, catalog }: PDFDocument): PDFDict {
  const existing = catalog.lookup(PDFName.of('Names'));
  if (existing instanceof PDFDict) return existing;
  const names = context.obj({});
  catalog.set(PDFName.of('Names'), names);
  return names;
}
