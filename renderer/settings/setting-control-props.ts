/** What the control of every setting gets. */
import type { SettingView } from '../../main/console/contract.ts';
import type { ControlProps } from '../parts/field.tsx';

export interface SettingControlProps {
  readonly setting: SettingView;
  /** Undefined: as it is written. */
  readonly change: string | null | undefined;
  readonly locked: boolean;
  readonly labels: ControlProps;
  readonly onChange: (wanted: string | null | undefined) => void;
}
