/** What a click in the explanation does. Absent in the debug log page, which has no scripts. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { OptionName } from '../../main/job/options.ts';

export interface Interaction {
  /** Shows an option, or an input, in the form. */
  readonly showOption: (name: OptionName) => void;
}

export const InteractionContext = createContext<Interaction | undefined>(undefined);

/** Undefined in a page without scripts: lists are cut instead of searched, and details open natively. */
export function useInteraction(): Interaction | undefined {
  return useContext(InteractionContext);
}
