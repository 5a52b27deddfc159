/** Gives pictures an element in the structure tree and a text alternative, or finds out that they have none. */
import { PDFArray, PDFName, PDFNumber, PDFRef, type PDFDocument } from '@cantoo/pdf-lib';
import type { PageElement } from './page-structure.ts';
import { namedDestinations } from '../../select/select-destinations.ts';
import type { HtmlNodes } from './html-nodes.ts';
import type { Nonconformity } from '../nonconformity.ts';
import { StructureElement } from './structure-tree.ts';
import type { TreePlaces } from './tree-places.ts';

/** A picture whose drawing is not tagged. Its position is that of its upper left corner, in points. */
export interface PlacedPicture {
  readonly element: StructureElement;
  readonly page: PDFRef;
  readonly left: number;
  readonly top: number;
}

interface PictureReport {
  /** Pictures without a text alternative. */
  readonly found: readonly Nonconformity[];
  /** Pictures that Chromium printed without tags, in document order. */
  readonly untagged: readonly PlacedPicture[];
}

/** Describes the pictures of a page in the tree. */
export function describePictures(document: PDFDocument, html: HtmlNodes, places: TreePlaces): PictureReport {
  const found: Nonconformity[] = [];
  const untagged: PlacedPicture[] = [];
  const pageNumbers = new Map(document.getPages().map(({ ref }, index) => [ref, index + 1]));
  const positionOf = picturePositions(document);
  for (const picture of html.pictures) {
    const existing = places.elementOf(picture.id);
    const position = positionOf(picture);
    const page = existing === undefined ? position?.page : (firstPage(existing) ?? position?.page);
    // Without content in the tree and without a position, the picture was not printed.
    if (existing === undefined && page === undefined) continue;
    const text = existing?.alternativeText ?? picture.label;
    if (text === undefined) {
      const number = page && pageNumbers.get(page);
      found.push({ ...(number !== undefined && { page: number }), reason: reasonFor(picture) });
      continue;
    }
    const element = existing ?? StructureElement.create(document.context, 'Figure');
    if (existing === undefined) places.insertOrAppend(element, picture.id);
    if (page !== undefined) element.dict.set(PDFName.of('Pg'), page);
    element.type = 'Figure';
    element.describe(text);
    // A drawing may have tagged text.
    const isTagged = element.kids.some((kid) => !(kid instanceof StructureElement));
    if (position !== undefined && !isTagged) untagged.push({ element, ...position });
  }
  return { found, untagged };
}

function reasonFor({ tag, path = tag }: PageElement): string {
  if (tag === 'img') return `${path} has no alt; describe the picture, or write alt="" if it is decoration`;
  return `${path} has no text alternative; add role="img" and aria-label, or aria-hidden="true" if it is decoration`;
}

type PicturePosition = Omit<PlacedPicture, 'element'>;

/** Returns a function that finds the position of a picture; undefined if the picture was not printed, or has no destination. */
function picturePositions(document: PDFDocument): (picture: PageElement) => PicturePosition | undefined {
  const destinations = namedDestinations(document);
  return ({ anchor }) => {
    if (anchor === undefined) return undefined;
    const destination = document.context.lookup(destinations.get(`/${anchor}`) ?? destinations.get(anchor));
    if (!(destination instanceof PDFArray) || destination.size() < 4) return undefined;
    const page = destination.get(0);
    const left = destination.lookup(2);
    const top = destination.lookup(3);
    if (!(page instanceof PDFRef && left instanceof PDFNumber && top instanceof PDFNumber)) return undefined;
    return { page, left: left.asNumber(), top: top.asNumber() };
  };
}

function firstPage(element: StructureElement): PDFRef | undefined {
  for (const { kids } of element.descendants())
    for (const kid of kids) if (!(kid instanceof StructureElement)) return kid.page;
  return undefined;
}
