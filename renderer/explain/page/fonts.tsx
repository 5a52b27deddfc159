/** Fonts: the fonts that style sheets request, the fonts that draw the text, and characters without a glyph. */
import { lastOf, type FontsEvent, type LogEvent } from '../../../main/log/events.ts';
import { isSubstituted, namedCharacter } from '../../../main/log/findings/fonts.ts';
import { number, t } from '../../texts/text.ts';
import type { ExplanationSection } from '../section.ts';

type ShownFonts = FontsEvent['detail'];
type ShownFontStack = ShownFonts['stacks'][number];

export function fonts(events: readonly LogEvent[]): ExplanationSection | undefined {
  const detail = lastOf(events, 'fonts')?.detail;
  if (detail === undefined) return undefined;
  const { stacks, failed, missing } = detail;
  if (stacks.length + failed.length + missing.length === 0) return undefined;
  const bad = failed.length + missing.length > 0;
  return {
    id: 'fonts',
    title: t('explain.fonts'),
    count: stacks.length,
    ...((bad || stacks.some(isSubstituted)) && { tone: bad ? 'error' : 'warning' }),
    content: (
      <>
        {stacks.length > 0 && <Stacks stacks={stacks} />}
        {failed.length > 0 && (
          <p>
            <span class="badge" data-tone="error">
              {t('explain.fonts.failed', { count: failed.length })}
            </span>{' '}
            <bdi>{failed.join(', ')}</bdi>
          </p>
        )}
        {missing.length > 0 && <Missing missing={missing} />}
      </>
    ),
  };
}

function Stacks({ stacks }: { readonly stacks: readonly ShownFontStack[] }) {
  return (
    <table class="explain-table explain-even">
      <thead>
        <tr>
          <th scope="col">{t('explain.fonts.asked')}</th>
          <th scope="col">{t('explain.fonts.used')}</th>
          <th scope="col" class="end">
            {t('explain.fonts.characters')}
          </th>
          <th scope="col" class="explain-wide">
            {t('explain.element')}
          </th>
        </tr>
      </thead>
      <tbody>
        {stacks.map((stack, index) => (
          <StackRow key={index} stack={stack} />
        ))}
      </tbody>
    </table>
  );
}

function StackRow({ stack }: { readonly stack: ShownFontStack }) {
  const { families, weight, style, characters, element, used } = stack;
  const kind = [
    weight === '400' || weight === 'normal' ? '' : weight,
    style === 'normal' ? '' : style,
  ].filter((word) => word !== '');
  return (
    <tr>
      <th scope="row">
        <bdi>{families}</bdi> {kind.length > 0 && <small class="faint">{kind.join(' ')}</small>}
      </th>
      <td>
        {used.map(({ family, glyphs, web }) => (
          <div key={family}>
            <bdi>{family}</bdi>{' '}
            <small class="faint">
              {t(web ? 'explain.fonts.webGlyphs' : 'explain.fonts.glyphs', { glyphs })}
            </small>
          </div>
        ))}
        {isSubstituted(stack) && (
          <span class="badge" data-tone="warning">
            {t('explain.fonts.substituted')}
          </span>
        )}
      </td>
      <td class="end">{number(characters)}</td>
      <td class="explain-wide">
        <code>{element}</code>
      </td>
    </tr>
  );
}

function Missing({ missing }: Pick<ShownFonts, 'missing'>) {
  return (
    <table class="explain-table explain-even">
      <thead>
        <tr>
          <th scope="col">{t('explain.fonts.missing')}</th>
          <th scope="col" class="end">
            {t('explain.times')}
          </th>
          <th scope="col">{t('explain.element')}</th>
        </tr>
      </thead>
      <tbody>
        {missing.map(({ character, count, element }) => (
          <tr key={character}>
            <th scope="row">
              <bdi>{namedCharacter(character)}</bdi>
            </th>
            <td class="end">{number(count)}</td>
            <td>
              <code>{element}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
