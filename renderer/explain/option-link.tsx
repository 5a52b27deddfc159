/** An option name that links to the option in the form. */
import { ArrowRight } from 'lucide-preact';
import { optionNames } from '../../main/job/options.ts';
import { formOptions } from '../call/call.ts';
import { show } from '../shell/current-view.ts';
import { t } from '../texts/text.ts';
import { callTab, showOption } from '../views/try-tabs.ts';

export function OptionLink({ name }: { readonly name: string }) {
  const known = optionNames.find((option) => option === name);
  if (known === undefined) return <code>{name}</code>;
  const go = () => {
    if (formOptions.includes(known)) showOption(known);
    else {
      callTab.value = 'input';
      show('try');
    }
  };
  return (
    <button type="button" class="option-link" title={t('explain.toOption')} onClick={go}>
      <code>{name}</code>
      <ArrowRight size={12} aria-hidden="true" />
    </button>
  );
}
