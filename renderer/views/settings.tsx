/** The view "Settings". */
import { t } from '../texts/text.ts';

export function SettingsView() {
  return (
    <section class="view">
      <header class="view-head">
        <h1>{t('nav.settings')}</h1>
      </header>
      <div class="view-body" />
    </section>
  );
}
