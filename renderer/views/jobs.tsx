/** The view "Jobs". */
import { t } from '../texts/text.ts';

export function JobsView() {
  return (
    <section class="view">
      <header class="view-head">
        <h1>{t('nav.jobs')}</h1>
      </header>
      <div class="view-body" />
    </section>
  );
}
