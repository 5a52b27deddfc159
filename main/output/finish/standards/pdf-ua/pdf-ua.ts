/**
 * Makes a tagged document conform to PDF/UA-1 (ISO 14289-1:2014), or finds out why it cannot. The clauses in comments are those of that
 * standard. Steps before this one must not add untagged content, except artifacts.
 */
import { PDFName, PDFString, type PDFDocument, type PDFRef } from '@cantoo/pdf-lib';
import type { FormField } from '../../../../engine/page-scripts/controls/form-field.ts';
import type { PageSnapshot } from '../../../../engine/devtools/print-marks.ts';
import { structureOf, type PageStructure } from './page-structure.ts';
import { shortened } from '../../../../failure/failure.ts';
import { titleOf } from '../../document-info.ts';
import { textIn } from '../../pdf-document.ts';
import { filterDestinations } from '../../select/select-destinations.ts';
import { setViewer } from '../../viewer.ts';
import { markContent } from './mark-content.ts';
import type { Nonconformity } from '../nonconformity.ts';
import { describePictures } from './pictures.ts';
import { readStructureTree, writeStructureTree, type StructureElement } from './structure-tree.ts';
import { HtmlNodes } from './html-nodes.ts';
import { completeStructureTypes } from './structure-types.ts';
import { TreePlaces } from './tree-places.ts';
import { UntaggedTexts } from './untagged-texts.ts';
import { tagAnnotations } from './tag-annotations.ts';

/**
 * Changes the document, whose pages look as before. `fields`: the form fields by their widgets. Returns what keeps it from conforming.
 */
export function conformToPdfUa(
  document: PDFDocument,
  snapshot: PageSnapshot,
  fields: ReadonlyMap<PDFRef, FormField>,
): Nonconformity[] {
  const structure = structureOf(snapshot);
  const root = readStructureTree(document);
  const html = new HtmlNodes(structure);
  const places = new TreePlaces(root, html);
  const pictures = describePictures(document, html, places);
  filterDestinations(document, (name) => !name.startsWith(snapshot.anchorPrefix));
  const found = [
    ...checkTitle(document),
    ...pictures.found,
    ...describeFormulas(root, html),
    ...checkHeadings(root, html),
    ...tagAnnotations(document, { root, html, places, fields }),
    ...checkLanguages(root, structure),
    ...completeStructureTypes(root, html),
  ];
  const texts = new UntaggedTexts(html, places);
  writeStructureTree(document, root, markContent(document, root, { pictures: pictures.untagged, texts }));
  if (structure.language !== '') document.catalog.set(PDFName.of('Lang'), PDFString.of(structure.language));
  setViewer(document, { display_title: true });
  return found;
}

/** The title is shown in the title bar (7.1). */
function checkTitle(document: PDFDocument): Nonconformity[] {
  if (titleOf(document).trim() !== '') return [];
  return [{ reason: 'the page has no title; add a title element, or send title' }];
}

/** BCP 47, as far as a validator without the registry can check it. */
const languageTag = /^[a-z]{2,8}(-[a-z\d]{1,8})*$/i;

/** The language of all content must be known (7.2). */
function checkLanguages(root: StructureElement, { language }: PageStructure): Nonconformity[] {
  if (language === '')
    return [{ reason: 'the page has no language; add lang to the html element, such as <html lang="en">' }];
  const others = [...root.descendants()].map(({ dict }) => textIn(dict, 'Lang'));
  const invalid = [language, ...others].find((tag) => tag !== '' && !languageTag.test(tag));
  if (invalid === undefined) return [];
  return [
    { reason: `lang="${shortened(invalid)}" is not a language tag; write one such as "en" or "de-AT"` },
  ];
}

/** Formulas need a text alternative (7.7). That of MathML is its text. */
function describeFormulas(root: StructureElement, html: HtmlNodes): Nonconformity[] {
  const found: Nonconformity[] = [];
  for (const element of root.descendants()) {
    if (!/^(Figure|Formula)$/.test(element.type) || element.alternativeText !== undefined) continue;
    const described = html.of(element);
    // A figure element is completed later, and a picture has been reported.
    if (described?.isPicture === true || described?.tag === 'figure') continue;
    if (described?.label !== undefined) element.describe(described.label);
    else found.push({ reason: `${described?.path ?? 'a figure'} has no text alternative; add aria-label` });
  }
  return found;
}

/** Headings begin with level 1, and no level is skipped (7.4.2). */
function checkHeadings(root: StructureElement, html: HtmlNodes): Nonconformity[] {
  const found: Nonconformity[] = [];
  let last = 0;
  for (const element of root.descendants()) {
    const level = Number(/^H([1-6])$/.exec(element.type)?.[1] ?? 0);
    if (level === 0) continue;
    const path = html.of(element)?.path ?? `a heading of level ${level}`;
    if (level > last + 1) {
      const before = last === 0 ? 'is the first heading' : `follows a heading of level ${last}`;
      found.push({ reason: `${path} ${before}; give it level ${last + 1}` });
    }
    last = level;
  }
  return found;
}
