/** Props of every setting control. */
import type { SettingView } from '../../main/console/contract.ts';
import type { ControlProps } from '../parts/field.tsx';

export interface SettingControlProps {
  readonly setting: SettingView;
  /** Undefined: unchanged. */
  readonly change: string | null | undefined;
  readonly locked: boolean;
  readonly labels: ControlProps;
  readonly onChange: (wanted: string | null | undefined) => void;
}
