/** Descriptions of HTML form controls at the time of printing: plain data, which can be sent to the finishing thread. */

export type FormField = TextField | CheckBox | RadioButton | ChoiceField | PushButton;

export interface TextField extends Control {
  readonly kind: 'text';
  /** Empty for a password, which must not be stored in a file. */
  readonly value: string;
  readonly multiline: boolean;
  readonly password: boolean;
  /** In characters. */
  readonly maxLength?: number;
}

export interface CheckBox extends Control {
  readonly kind: 'checkbox';
  /** The value that is submitted if the box is checked. */
  readonly value: string;
  readonly on: boolean;
}

interface RadioButton extends Control {
  readonly kind: 'radio';
  /** The id of the group. At most one button of a group is on. */
  readonly group: string;
  readonly value: string;
  readonly on: boolean;
}

export interface ChoiceField extends Control {
  readonly kind: 'choice';
  /** True for a list box that shows all options; false for a drop-down list. */
  readonly isListBox: boolean;
  readonly multiple: boolean;
  readonly options: readonly ChoiceOption[];
}

export interface ChoiceOption {
  readonly value: string;
  readonly text: string;
  readonly isSelected: boolean;
}

export interface PushButton extends Control {
  readonly kind: 'button';
  /** The address to submit the form to, and whether by GET instead of POST. If undefined, the button resets the form. */
  readonly submit?: { readonly url: string; readonly isGet: boolean };
}

export interface Control {
  /** Address of the link that covers the control's padding box in the printed PDF. */
  readonly marker: string;
  /** The id of the DOM node, as in the structure of a tagged PDF; absent if the control cannot contain a link. */
  readonly node?: number;
  /** The `name` attribute or, without one, the id; may be empty. */
  readonly name: string;
  /** The accessible name; may be empty. */
  readonly label: string;
  readonly readOnly: boolean;
  readonly required: boolean;
  /** Index of the control's form in the document; -1 if it has none. */
  readonly form: number;
  /** Whether the control is disabled. Disabled controls are not submitted. */
  readonly disabled: boolean;
  readonly box: ControlBox;
  readonly text: TextStyle;
}

/** Sizes of a control in CSS pixels. */
export interface ControlBox {
  /** Width of the padding box. */
  readonly width: number;
  /** Height of the padding box. */
  readonly height: number;
  readonly border: Sides;
  readonly padding: Sides;
}

export interface Sides {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface TextStyle {
  /** Font size in CSS pixels. */
  readonly size: number;
  /** CSS pixels. */
  readonly lineHeight: number;
  /** Components from 0 to 1. */
  readonly colour: readonly [red: number, green: number, blue: number];
  readonly align: 'left' | 'center' | 'right';
}
