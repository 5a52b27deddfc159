/** Chooses one side of a comparison: a run of this console session, or a file. */
import { FolderOpen } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { IconButton } from '../parts/button.tsx';
import { moment, t } from '../texts/text.ts';
import type { SideName } from './difference.ts';
import { choose, comparable, sides, type ComparedSide } from './sides.ts';

export function SidePicker({ side }: { readonly side: SideName }) {
  const input = useRef<HTMLInputElement>(null);
  const chosen = sides.value[side];
  const label = t(`compare.side.${side}`);
  const value = chosen?.kind === 'run' ? String(chosen.run.number) : (chosen?.kind ?? '');
  return (
    <div class="side-picker" role="group" aria-label={label}>
      <span class="side-letter" aria-hidden="true">
        {side.toUpperCase()}
      </span>
      <select
        class="input"
        aria-label={label}
        value={value}
        title={titleOf(chosen)}
        onChange={({ currentTarget }) => {
          choose(side, Number(currentTarget.value));
        }}
      >
        {chosen === undefined && <option value="">{t('compare.choose')}</option>}
        {chosen?.kind === 'file' && <option value="file">{chosen.file.name}</option>}
        {comparable.value.map(({ number, title, began }) => (
          <option key={number} value={String(number)}>
            {t('compare.run', { number, title, time: moment(began) })}
          </option>
        ))}
      </select>
      <IconButton
        icon={FolderOpen}
        label={t(`compare.file.${side}`)}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        hidden
        accept="application/pdf,image/*"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) choose(side, file);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

function titleOf(side: ComparedSide | undefined): string | undefined {
  return side?.kind === 'file' ? side.file.name : side?.run.title;
}
