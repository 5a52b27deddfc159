/** Shows how much of a page differs. */
import { language, t } from '../../texts/text.ts';
import type { PageDifference } from './difference.ts';

export function DifferenceBadge({ found }: { readonly found: PageDifference | undefined }) {
  if (found === undefined) return null;
  return (
    <span class="badge compare-badge" data-is={found.is}>
      {wordsFor(found)}
    </span>
  );
}

export function wordsFor(found: PageDifference): string {
  switch (found.is) {
    case 'identical':
      return t('compare.identical');
    case 'unknown':
      return t('compare.unknown');
    case 'only':
      return t(`compare.only.${found.side}`);
    case 'differs':
      return t(found.resized ? 'compare.resized' : 'compare.differs', { share: shareInWords(found.share) });
  }
}

/** Never shows 0 % for a page that differs. */
function shareInWords(share: number): string {
  const format = new Intl.NumberFormat(language.value, { style: 'percent', maximumSignificantDigits: 2 });
  return share < 0.0001 ? `< ${format.format(0.0001)}` : format.format(share);
}
