/** What the widgets of all kinds of fields have in common (ISO 32000-1, 12.5.6.19). */
import {
  type PDFContext,
  type PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFString,
} from '@cantoo/pdf-lib';
import type { FormField } from '../../../engine/form-field.ts';
import { colourOf, fontSize } from './appearance.ts';
import type { Placed } from './places.ts';

export type Entries = Readonly<Record<string, PDFObject | undefined>>;

/** Bits of /Ff (ISO 32000-1, tables 221, 226, 228, 230). */
export const flag = {
  readOnly: 1 << 0,
  required: 1 << 1,
  noExport: 1 << 2,
  multiline: 1 << 12,
  password: 1 << 13,
  noToggleToOff: 1 << 14,
  radio: 1 << 15,
  pushButton: 1 << 16,
  combo: 1 << 17,
  multiSelect: 1 << 21,
} as const;

/** All that widgets have, with what is the field's own. */
export function widget(context: PDFContext, placed: Placed, entries: Entries): PDFDict {
  const { rect, page, field, scale } = placed;
  const { x, y, width, height } = rect;
  const { border } = field.box;
  return withoutUndefined(context, {
    Type: PDFName.of('Annot'),
    Subtype: PDFName.of('Widget'),
    Rect: context.obj([x, y, x + width, y + height]),
    F: context.obj(1 << 2),
    P: page.ref,
    MK: context.obj({}),
    // Drawn on the page already; viewers keep text clear of it.
    BS: context.obj({ W: Math.max(border.left, border.top) * scale }),
    TU: field.label === '' ? undefined : PDFHexString.fromText(field.label),
    ...entries,
  });
}

export function flags(context: PDFContext, field: FormField, own: number): PDFObject {
  const { readOnly, required, disabled } = field;
  const locked = readOnly || disabled ? flag.readOnly : 0;
  return context.obj(own | locked | (required ? flag.required : 0) | (disabled ? flag.noExport : 0));
}

export function alignment(context: PDFContext, { text }: FormField): Entries {
  return { Q: context.obj({ left: 0, center: 1, right: 2 }[text.align]) };
}

export function defaultAppearance(font: 'Helv' | 'ZaDb', placed: Placed): PDFString {
  // Size 0: as large as fits.
  const size = font === 'ZaDb' ? 0 : fontSize(placed);
  return PDFString.of(`/${font} ${size} Tf ${colourOf(placed.field.text)} rg`);
}

export function withoutUndefined(context: PDFContext, entries: Entries): PDFDict {
  return context.obj(Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)));
}
