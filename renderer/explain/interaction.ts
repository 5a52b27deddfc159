/** The actions of the explanation in the console. The debug log page has no actions, because it contains no scripts. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { OptionName } from '../../main/job/options.ts';

export interface Interaction {
  /** Shows an option in the options form, or the Input tab for an input. */
  readonly showOption: (name: OptionName) => void;
}

export const InteractionContext = createContext<Interaction | undefined>(undefined);

/**
 * Returns the actions; undefined in a page without scripts. Such a page shortens long lists instead of searching them, and uses
 * `<details>` elements.
 */
export function useInteraction(): Interaction | undefined {
  return useContext(InteractionContext);
}
