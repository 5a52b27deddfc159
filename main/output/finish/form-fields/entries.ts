/** Builds the dictionaries of fields and their widgets (ISO 32000-1, 12.7.4). */
import {
  PDFHexString,
  PDFName,
  PDFString,
  type PDFContext,
  type PDFDict,
  type PDFObject,
  type PDFRef,
} from '@cantoo/pdf-lib';
import type {
  CheckBox,
  ChoiceField,
  PushButton,
  TextField,
  FormField,
} from '../../../engine/page-scripts/controls/form-field.ts';
import {
  choiceAppearance,
  emptyAppearance,
  markAppearance,
  textAppearance,
  colourOf,
  fontSize,
} from './appearance.ts';
import type { FieldFont } from './field-font.ts';
import type { PlacedField } from './places.ts';

/** Returns one dictionary for the field and its widget. @throws Error for a radio button, which is only part of a field */
export function widgetEntries(context: PDFContext, placed: PlacedField, pen: FieldFont): PDFDict {
  const { field } = placed;
  switch (field.kind) {
    case 'text':
      return widget(context, placed, textEntries(context, { ...placed, field }, pen));
    case 'checkbox':
      return widget(context, placed, checkBoxEntries(context, { ...placed, field }));
    case 'choice':
      return widget(context, placed, choiceEntries(context, { ...placed, field }, pen));
    case 'button':
      return widget(context, placed, {
        FT: PDFName.of('Btn'),
        Ff: flags(context, field, flag.pushButton),
        AP: context.obj({ N: emptyAppearance(context, placed) }),
      });
    case 'radio':
      throw new Error('A radio button is not a separate field.');
  }
}

function textEntries(context: PDFContext, placed: PlacedField<TextField>, pen: FieldFont): Entries {
  const { value, multiline, password, maxLength } = placed.field;
  const text = PDFHexString.fromText(value);
  // The initial value may be longer than maxlength.
  const maxLen = maxLength === undefined ? undefined : context.obj(Math.max(maxLength, value.length));
  return {
    FT: PDFName.of('Tx'),
    Ff: flags(context, placed.field, (multiline ? flag.multiline : 0) | (password ? flag.password : 0)),
    V: text,
    DV: text,
    MaxLen: maxLen,
    ...alignment(context, placed.field),
    DA: defaultAppearance('Helv', placed),
    AP: context.obj({ N: textAppearance(context, placed, pen) }),
  };
}

function choiceEntries(context: PDFContext, placed: PlacedField<ChoiceField>, pen: FieldFont): Entries {
  const { field } = placed;
  const { isListBox, multiple, options } = field;
  const chosen = options.flatMap((option, index) => (option.isSelected ? [{ ...option, index }] : []));
  const values = chosen.map(({ value }) => PDFHexString.fromText(value));
  const value = values.length > 1 ? context.obj(values) : values[0];
  return {
    FT: PDFName.of('Ch'),
    Ff: flags(context, field, (isListBox ? 0 : flag.combo) | (multiple ? flag.multiSelect : 0)),
    Opt: context.obj(
      options.map((option) => [PDFHexString.fromText(option.value), PDFHexString.fromText(option.text)]),
    ),
    V: value,
    DV: value,
    I: isListBox ? context.obj(chosen.map(({ index }) => index)) : undefined,
    ...alignment(context, field),
    DA: defaultAppearance('Helv', placed),
    AP: context.obj({ N: choiceAppearance(context, placed, pen) }),
  };
}

function checkBoxEntries(context: PDFContext, placed: PlacedField<CheckBox>): Entries {
  const { field } = placed;
  const { names, opt } = statesOf(context, [field.value]);
  const [on = 'Yes'] = names;
  const state = PDFName.of(field.on ? on : 'Off');
  return {
    FT: PDFName.of('Btn'),
    Ff: flags(context, field, 0),
    V: state,
    DV: state,
    AS: state,
    Opt: opt,
    ...markEntries(context, placed, on),
  };
}

/** Returns the field dictionary of a group of radio buttons, and assigns a widget to the reference of each button. */
export function radioGroupEntries(
  context: PDFContext,
  members: readonly [PlacedField, ...PlacedField[]],
  group: PDFRef,
): PDFDict {
  const { field: first } = members[0];
  const radios = members.map(({ field }) => (field.kind === 'radio' ? field : undefined));
  const { names, opt } = statesOf(
    context,
    radios.map((radio) => radio?.value ?? ''),
  );
  members.forEach((placed, index) => {
    const name = names[index] ?? '';
    const AS = PDFName.of(radios[index]?.on ? name : 'Off');
    context.assign(
      placed.ref,
      widget(context, placed, { Parent: group, AS, ...markEntries(context, placed, name) }),
    );
  });
  const value = PDFName.of(names[radios.findIndex((radio) => radio?.on)] ?? 'Off');
  const entries = {
    FT: PDFName.of('Btn'),
    Ff: flags(context, first, flag.radio | flag.noToggleToOff),
    V: value,
    DV: value,
    Opt: opt,
    Kids: context.obj(members.map(({ ref }) => ref)),
  };
  return withoutUndefined(context, entries);
}

/** Returns the action of a button, which submits or resets its form. */
export function actionOf(context: PDFContext, { submit }: PushButton, fields: readonly PDFRef[]): PDFDict {
  if (submit === undefined) return context.obj({ S: 'ResetForm', Fields: [...fields] });
  const address = context.obj({
    Type: 'Filespec',
    FS: 'URL',
    F: PDFHexString.of(Buffer.from(submit.url, 'latin1').toString('hex')),
  });
  // Submits in the HTML format, with GET or POST (ISO 32000-1, table 237).
  const htmlFormFlags = (1 << 2) | (submit.isGet ? 1 << 3 : 0);
  return context.obj({ S: 'SubmitForm', F: address, Fields: [...fields], Flags: htmlFormFlags });
}

/**
 * Returns the names of the "on" states of buttons. These are the values of the buttons, if they are distinct valid names. Otherwise
 * the names are numbers, and `opt` is the /Opt array with the values.
 */
function statesOf(
  context: PDFContext,
  values: readonly string[],
): { names: string[]; opt: PDFObject | undefined } {
  const plain = values.every((value) => /^[\w.,:+-]{1,60}$/.test(value) && value !== 'Off');
  if (plain && new Set(values).size === values.length) return { names: [...values], opt: undefined };
  const names = values.map((_, index) => String(index));
  return { names, opt: context.obj(values.map((value) => PDFHexString.fromText(value))) };
}

function markEntries(context: PDFContext, placed: PlacedField, on: string): Entries {
  const [shape, sign] = placed.field.kind === 'radio' ? (['dot', 'l'] as const) : (['tick', '4'] as const);
  const states = { [on]: markAppearance(context, placed, shape), Off: emptyAppearance(context, placed) };
  return {
    // The ZapfDingbats character of the mark, for viewers that draw the mark themselves.
    MK: context.obj({ CA: PDFString.of(sign) }),
    DA: defaultAppearance('ZaDb', placed),
    AP: context.obj({ N: states }),
  };
}

// Entries that all widgets share (ISO 32000-1, 12.5.6.19).

export type Entries = Readonly<Record<string, PDFObject | undefined>>;

/** Field flags, /Ff (ISO 32000-1, tables 221, 226, 228, 230). */
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

/** Returns a widget dictionary with the shared entries and the given ones, which take precedence. */
export function widget(context: PDFContext, placed: PlacedField, entries: Entries): PDFDict {
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
    // The printed page already contains the border, but viewers need its width to position the text.
    BS: context.obj({ W: Math.max(border.left, border.top) * scale }),
    TU: field.label === '' ? undefined : PDFHexString.fromText(field.label),
    ...entries,
  });
}

export function flags(context: PDFContext, field: FormField, kindFlags: number): PDFObject {
  const { readOnly, required, disabled } = field;
  const locked = readOnly || disabled ? flag.readOnly : 0;
  return context.obj(kindFlags | locked | (required ? flag.required : 0) | (disabled ? flag.noExport : 0));
}

function alignment(context: PDFContext, { text }: FormField): Entries {
  return { Q: context.obj({ left: 0, center: 1, right: 2 }[text.align]) };
}

function defaultAppearance(font: 'Helv' | 'ZaDb', placed: PlacedField): PDFString {
  // Size 0 lets the viewer choose the size.
  const size = font === 'ZaDb' ? 0 : fontSize(placed);
  return PDFString.of(`/${font} ${size} Tf ${colourOf(placed.field.text)} rg`);
}

export function withoutUndefined(context: PDFContext, entries: Entries): PDFDict {
  return context.obj(Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)));
}
