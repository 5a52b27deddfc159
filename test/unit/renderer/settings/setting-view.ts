/** Builds the view of a setting as the service sends it. */
import type { SettingView } from '../../../../main/console/contract.ts';

export function viewOf(facts: Partial<SettingView>): SettingView {
  return {
    name: 'queue',
    description: 'Callers that may wait.',
    allowed: 'a whole number',
    schema: { type: 'string' },
    default: '64',
    value: '64',
    written: null,
    secret: false,
    origin: 'default',
    ...facts,
  };
}
