/** Reads the interactive form of a PDF document. */
import assert from 'node:assert/strict';
import type { PDFDocument } from '@cantoo/pdf-lib';

export interface FieldPosition {
  /** Page number, starting at 1. */
  readonly page: number;
  /** Points from the lower left corner of the page. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the position of a widget of the field (default: the first), and the page whose annotations include the widget. */
export function positionOf(document: PDFDocument, name: string, widget = 0): FieldPosition {
  const found = document.getForm().getField(name).acroField.getWidgets()[widget];
  assert.ok(found, `${name} has no widget ${widget}`);
  const page = document.getPages().findIndex(({ node }) => {
    const annotations = node.Annots()?.asArray() ?? [];
    return annotations.some((annotation) => document.context.lookup(annotation) === found.dict);
  });
  return { page: page + 1, ...found.getRectangle() };
}
