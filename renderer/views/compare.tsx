/** The view "Compare". */
import { t } from '../texts/text.ts';

export function CompareView() {
  return (
    <section class="view">
      <header class="view-head">
        <h1>{t('nav.compare')}</h1>
      </header>
      <div class="view-body" />
    </section>
  );
}
