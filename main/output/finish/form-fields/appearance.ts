/** Builds the initial appearance streams of fields (ISO 32000-1, 12.5.5 and 12.7.3.3). */
import type { PDFContext, PDFRef } from '@cantoo/pdf-lib';
import type { ChoiceField, TextField, TextStyle } from '../../../engine/page-scripts/controls/form-field.ts';
import { toSingleLine, hasGlyphsFor, linesOf, type FieldFont } from './field-font.ts';
import type { PlacedField, Rect } from './places.ts';

interface TextLine {
  readonly text: string;
  readonly marked?: boolean;
}

/** Half the height of capital letters and digits, relative to the font size. */
const halfHeight = 0.35;
/** The operator that sets the background colour of selected options. */
const selection = '0.6 0.75 0.85 rg';

export function textAppearance(context: PDFContext, placed: PlacedField<TextField>, pen: FieldFont): PDFRef {
  const { value, multiline } = placed.field;
  if (!hasGlyphsFor(pen, value)) return textStream(context, placed, { pen, lines: [] });
  const box = contentBox(placed);
  const size = fontSize(placed);
  const texts = multiline ? linesOf(pen, value, { size, width: box.width }) : [toSingleLine(value)];
  return textStream(context, placed, { pen, lines: texts.map((text) => ({ text })), fromTop: multiline });
}

export function choiceAppearance(
  context: PDFContext,
  placed: PlacedField<ChoiceField>,
  pen: FieldFont,
): PDFRef {
  const { isListBox, options } = placed.field;
  const shown = isListBox ? options : options.filter(({ isSelected }) => isSelected).slice(0, 1);
  const lines = shown.map(({ text, isSelected }) => ({
    text: hasGlyphsFor(pen, text) ? toSingleLine(text) : '',
    marked: isListBox && isSelected,
  }));
  return textStream(context, placed, { pen, lines, fromTop: isListBox });
}

/** Returns the appearance of a button that is on: a centred tick or dot. */
export function markAppearance(context: PDFContext, placed: PlacedField, shape: 'tick' | 'dot'): PDFRef {
  const { width, height } = placed.rect;
  const side = Math.min(width, height);
  const at = (x: number, y: number) => points(width / 2 + (x - 0.5) * side, height / 2 + (y - 0.5) * side);
  const colour = colourOf(placed.field.text);
  if (shape === 'tick') {
    const path = `${at(0.2, 0.5)} m ${at(0.42, 0.27)} l ${at(0.8, 0.76)} l S`;
    return stream(context, placed.rect, `q ${colour} RG ${points(side * 0.13)} w ${path} Q`);
  }
  // A line of length 0 with round caps is a disc (ISO 32000-1, 8.4.3.3).
  const path = `${at(0.5, 0.5)} m ${at(0.5, 0.5)} l S`;
  return stream(context, placed.rect, `q ${colour} RG 1 J ${points(side * 0.5)} w ${path} Q`);
}

export function emptyAppearance(context: PDFContext, { rect }: PlacedField): PDFRef {
  return stream(context, rect, '');
}

/** Returns the font size in points, rounded to hundredths. Viewers keep this size when they redraw the field. */
export function fontSize({ field, scale }: PlacedField): number {
  return Math.max(0.01, Math.round(field.text.size * scale * 100) / 100);
}

export function colourOf({ colour }: TextStyle): string {
  return points(...colour);
}

interface TextLayout {
  readonly pen: FieldFont;
  readonly lines: readonly TextLine[];
  /** Whether the text begins at the top of the box; otherwise it is centred vertically. */
  readonly fromTop?: boolean;
}

function textStream(
  context: PDFContext,
  placed: PlacedField,
  { pen, lines, fromTop = false }: TextLayout,
): PDFRef {
  const { rect, field, scale } = placed;
  const size = fontSize(placed);
  const box = contentBox(placed);
  const lineHeight = field.kind === 'choice' ? size * 1.2 : field.text.lineHeight * scale;
  const firstMiddle = fromTop ? box.y + box.height - lineHeight / 2 : box.y + box.height / 2;
  const marks: string[] = [];
  const texts = lines.map(({ text, marked }, index) => {
    const middle = firstMiddle - index * lineHeight;
    if (marked)
      marks.push(`${selection} ${points(box.x, middle - lineHeight / 2, box.width, lineHeight)} re f`);
    const free = box.width - pen.font.widthOfTextAtSize(text, size);
    const x = box.x + { left: 0, center: free / 2, right: free }[field.text.align];
    const start = points(text === '' ? 0 : x, middle - halfHeight * size);
    return `1 0 0 1 ${start} Tm ${pen.font.encodeText(text).toString()} Tj`;
  });
  const style = `${colourOf(field.text)} rg /Helv ${size} Tf`;
  const { x, y, width, height } = clipBox(placed);
  const clip = `${points(x, y, width, height)} re W n`;
  const content = `/Tx BMC q ${clip} ${marks.join(' ')} BT ${style} ${texts.join('\n')} ET Q EMC`;
  return stream(context, rect, content, { Font: { Helv: pen.font.ref } });
}

/** Returns the box inside border and padding, in points from the lower left corner of the field. */
function contentBox({ rect, field, scale }: PlacedField): Rect {
  const { border, padding } = field.box;
  const left = (border.left + padding.left) * scale;
  const bottom = (border.bottom + padding.bottom) * scale;
  const width = rect.width - left - (border.right + padding.right) * scale;
  const height = rect.height - bottom - (border.top + padding.top) * scale;
  return { x: left, y: bottom, width: Math.max(1, width), height };
}

/** Returns the box inside the border. The printed page already contains the border. */
function clipBox({ rect, field, scale }: PlacedField): Rect {
  const { top, right, bottom, left } = field.box.border;
  return {
    x: left * scale,
    y: bottom * scale,
    width: rect.width - (left + right) * scale,
    height: rect.height - (top + bottom) * scale,
  };
}

function stream(
  context: PDFContext,
  { width, height }: Rect,
  ...[content, resources = {}]: [content: string, resources?: object]
): PDFRef {
  const form = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, width, height], Resources: { ...resources } };
  return context.register(context.stream(content, form));
}

function points(...values: number[]): string {
  return values.map((value) => String(Number(value.toFixed(3)))).join(' ');
}
