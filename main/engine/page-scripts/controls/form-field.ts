/** The controls of an HTML form at the time of printing. Plain data: it is sent to a worker. */

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
  /** The value to submit when it is on. */
  readonly value: string;
  readonly on: boolean;
}

export interface RadioButton extends Control {
  readonly kind: 'radio';
  /** At most one button of a group is on. */
  readonly group: string;
  readonly value: string;
  readonly on: boolean;
}

export interface ChoiceField extends Control {
  readonly kind: 'choice';
  /** True for a list box that shows all options; false for a drop-down list. */
  readonly list: boolean;
  readonly multiple: boolean;
  readonly options: readonly ChoiceOption[];
}

export interface ChoiceOption {
  readonly value: string;
  readonly text: string;
  readonly chosen: boolean;
}

export interface PushButton extends Control {
  readonly kind: 'button';
  /** Where the form is submitted. Without it the button resets the form. */
  readonly submit?: { readonly url: string; readonly get: boolean };
}

export interface Control {
  /** Address of the link that covers the control's padding box in the printed PDF. */
  readonly marker: string;
  /** Empty if it has no name. */
  readonly name: string;
  /** The accessible name; may be empty. */
  readonly label: string;
  readonly readOnly: boolean;
  readonly required: boolean;
  /** Number of the form it belongs to; -1 for none. */
  readonly form: number;
  /** The control is not submitted. */
  readonly disabled: boolean;
  readonly box: ControlBox;
  readonly text: TextStyle;
}

/** CSS pixels. */
export interface ControlBox {
  /** Size of the padding box. */
  readonly width: number;
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
  /** CSS pixels. */
  readonly size: number;
  readonly lineHeight: number;
  /** 0 to 1. */
  readonly colour: readonly [red: number, green: number, blue: number];
  readonly align: 'left' | 'center' | 'right';
}
