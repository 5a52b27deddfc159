/** The view "About". */
import { t } from '../texts/text.ts';

export function AboutView() {
  return (
    <section class="view">
      <header class="view-head">
        <h1>{t('nav.about')}</h1>
      </header>
      <div class="view-body" />
    </section>
  );
}
