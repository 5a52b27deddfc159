/** What a control of an HTML form is, as the page had it when it was printed. Plain data: it goes to a worker. */

export type FormField = TextField | CheckBox | RadioButton | ChoiceField | PushButton;

export interface TextField extends Control {
  readonly kind: 'text';
  /** Empty for a password, which is no text to be kept in a file. */
  readonly value: string;
  readonly multiline: boolean;
  readonly password: boolean;
  /** Most characters. */
  readonly longest?: number;
}

export interface CheckBox extends Control {
  readonly kind: 'checkbox';
  /** What is submitted when it is on. */
  readonly value: string;
  readonly on: boolean;
}

export interface RadioButton extends Control {
  readonly kind: 'radio';
  /** Of the buttons of one group one at most is on. */
  readonly group: string;
  readonly value: string;
  readonly on: boolean;
}

export interface ChoiceField extends Control {
  readonly kind: 'choice';
  /** Its options are all to be seen; else only the chosen one is, and the others drop down. */
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
  /** Where the form is sent; without it the button resets the form. */
  readonly submit?: { readonly url: string; readonly get: boolean };
}

export interface Control {
  /** Address of the link that lies over the control in the printed PDF, on its padding box. */
  readonly marker: string;
  /** Empty when it has none. */
  readonly name: string;
  /** What it says about itself to those who cannot see it; may be empty. */
  readonly label: string;
  readonly readOnly: boolean;
  readonly required: boolean;
  /** Number of the form it belongs to; -1 for none. */
  readonly form: number;
  /** It is not submitted. */
  readonly disabled: boolean;
  readonly box: ControlBox;
  readonly text: TextStyle;
}

/** CSS pixels. */
export interface ControlBox {
  /** Of the padding box. */
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
