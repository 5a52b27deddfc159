/** An option name that links to the option in the form. */
import { ArrowRight } from 'lucide-preact';
import { optionNames } from '../../main/job/options.ts';
import { t } from '../texts/text.ts';
import { useInteraction } from './interaction.ts';

export function OptionLink({ name }: { readonly name: string }) {
  const interaction = useInteraction();
  const option = optionNames.find((known) => known === name);
  if (option === undefined || interaction === undefined) return <code>{name}</code>;
  return (
    <button
      type="button"
      class="option-link"
      title={t('explain.toOption')}
      onClick={() => {
        interaction.showOption(option);
      }}
    >
      <code>{name}</code>
      <ArrowRight size={12} aria-hidden="true" />
    </button>
  );
}
