/** The view "Accounts". */
import { t } from '../texts/text.ts';

export function AccountsView() {
  return (
    <section class="view">
      <header class="view-head">
        <h1>{t('nav.accounts')}</h1>
      </header>
      <div class="view-body" />
    </section>
  );
}
