/** Form fields: a label, a control, a hint and an error. */
import { CircleAlert, Search } from 'lucide-preact';
import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  /** Renders the control with the given attributes, which connect it to the label, the hint and the error. */
  readonly children: (control: ControlProps) => ComponentChildren;
}

export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    Boolean,
  );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(describedBy.length > 0 && { 'aria-describedby': describedBy.join(' ') }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} class="field-error" role="alert">
          <CircleAlert size={14} aria-hidden="true" />
          {error}
        </p>
      )}
    </div>
  );
}

interface TextInputProps extends Omit<InputHTMLAttributes, 'value' | 'onInput'> {
  readonly value: string;
  readonly onText: (text: string) => void;
}

export function TextInput({ value, onText, ...rest }: TextInputProps) {
  return (
    <input
      class="input"
      value={value}
      onInput={(event) => {
        onText(event.currentTarget.value);
      }}
      {...rest}
    />
  );
}

export function SearchInput({ label, ...rest }: TextInputProps & { readonly label: string }) {
  return (
    <div class="search">
      <Search size={15} aria-hidden="true" />
      <TextInput type="search" aria-label={label} placeholder={label} {...rest} />
    </div>
  );
}

interface SwitchProps {
  readonly label: ComponentChildren;
  readonly on: boolean;
  readonly onSwitch: (on: boolean) => void;
  readonly disabled?: boolean;
  /** Attributes from a surrounding field, if there is one. */
  readonly control?: ControlProps;
}

export function Switch({ label, on, onSwitch, disabled, control }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={on}
        disabled={disabled}
        {...control}
        onChange={(event) => {
          onSwitch(event.currentTarget.checked);
        }}
      />
      {label}
    </label>
  );
}
