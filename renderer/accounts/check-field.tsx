/** A switch with a hint below it. */
import { Switch } from '../parts/field.tsx';

interface CheckFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly on: boolean;
  readonly onSwitch: (on: boolean) => void;
}

export function CheckField({ label, hint, on, onSwitch }: CheckFieldProps) {
  return (
    <div class="field">
      <Switch label={label} on={on} onSwitch={onSwitch} />
      <p class="field-hint check-hint">{hint}</p>
    </div>
  );
}
