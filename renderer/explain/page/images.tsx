/** Images with a problem, with their intrinsic size and their displayed size. */
import type { LogEvent } from '../../../main/log/events.ts';
import { eventsOf } from '../../../main/log/events.ts';
import { t } from '../../texts/text.ts';
import { pixels } from './layout.tsx';
import type { ExplanationSection } from '../section.ts';
import { shortUrl } from '../requests/short-url.ts';

export function images(events: readonly LogEvent[]): ExplanationSection | undefined {
  const all = eventsOf(events, 'images').flatMap(({ detail }) => detail.images);
  if (all.length === 0) return undefined;
  return {
    id: 'images',
    title: t('explain.images'),
    count: all.length,
    tone: all.some(({ problem }) => problem === 'broken') ? 'error' : 'warning',
    content: (
      <table class="explain-table explain-even">
        <thead>
          <tr>
            <th scope="col">{t('explain.image')}</th>
            <th scope="col">{t('explain.problem')}</th>
            <th scope="col" class="end">
              {t('explain.ownSize')}
            </th>
            <th scope="col" class="end">
              {t('explain.shownAt')}
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map(({ url, element, problem, natural, shown }, index) => (
            <tr key={index}>
              <th scope="row">
                <bdi title={url.slice(0, 500)}>{shortUrl(url).name}</bdi>
                <small class="explain-second">
                  <code>{element}</code>
                </small>
              </th>
              <td>{t(`explain.image.${problem}`)}</td>
              <td class="end">{problem === 'oversized' && pixels(natural)}</td>
              <td class="end">{pixels(shown)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    ),
  };
}
