/** One option in the options form: name, description, control and error. */
import { useComputed, useSignalEffect } from '@preact/signals';
import { CircleAlert } from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';
import { table, type OptionName, type OptionRow as Row } from '../../../main/job/options.ts';
import { t } from '../../texts/text.ts';
import { optionToReveal } from '../../state/try-tabs.ts';
import { options } from '../call.ts';
import { controlOf, sentencesOf, type ControlDescription } from './option-control.ts';
import { OptionControl } from './option-controls.tsx';
import { useOptionText } from './option-text.ts';

interface OptionRowProps {
  readonly name: OptionName;
  /** Whether the option has no effect, or none with the selected output format. */
  readonly hasNoEffect?: boolean;
}

export function OptionRow({ name, hasNoEffect = false }: OptionRowProps) {
  const row: Row = table[name];
  const root = useRef<HTMLDivElement>(null);
  const value = useComputed(() => options.value.get(name)).value;
  const entry = useOptionText(name, value);
  const id = `option-${name}`;
  const control = controlOf(row);
  useSignalEffect(() => {
    if (optionToReveal.value === name) reveal(root.current);
  });
  const { error } = entry;
  return (
    <div
      ref={root}
      class="option"
      data-control={control.kind}
      data-no-effect={flagAttribute(hasNoEffect)}
      data-changed={flagAttribute(value)}
    >
      <div class="option-text">
        {isLabelable(control) ? (
          <label class="option-name" for={id}>
            {name}
          </label>
        ) : (
          <span class="option-name">{name}</span>
        )}
        <Description name={name} row={row} id={`${id}-description`} />
      </div>
      <div class="option-control" onFocusOut={entry.onLeave}>
        <OptionControl
          name={name}
          row={row}
          control={control}
          value={value}
          entry={entry}
          labels={{
            id,
            'aria-describedby': error === undefined ? `${id}-description` : `${id}-error ${id}-description`,
            ...(error !== undefined && { 'aria-invalid': true }),
          }}
        />
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} class="field-error" role="alert">
          <CircleAlert size={14} aria-hidden="true" />
          {t('options.allowed', { allowed: error })}
        </p>
      )}
    </div>
  );
}

/** Returns the value of a data attribute that serves as a flag; undefined removes the attribute. */
function flagAttribute(value: unknown): '' | undefined {
  return value === undefined || value === false ? undefined : '';
}

/**
 * Returns whether a `<label>` can name the control. Segments are several buttons, and the file button has its own accessible name.
 */
function isLabelable({ kind }: ControlDescription): boolean {
  return kind !== 'segments' && kind !== 'file' && kind !== 'files';
}

/** Scrolls to the option, focuses its control and highlights the row. */
function reveal(root: HTMLElement | null): void {
  if (root === null) return;
  optionToReveal.value = undefined;
  root.scrollIntoView({ block: 'center' });
  const controls = 'input:not([hidden], [type=color]), select, textarea, [tabindex="0"], button';
  root.querySelector('.option-control')?.querySelector<HTMLElement>(controls)?.focus({ preventScroll: true });
  root.dataset.revealed = '';
  root.addEventListener('animationend', () => delete root.dataset.revealed, { once: true });
}

function Description({ name, row, id }: { readonly name: string; readonly row: Row; readonly id: string }) {
  const [isExpanded, setExpanded] = useState(false);
  const [first, rest] = sentencesOf(row);
  const facts = factsOf(row);
  return (
    <>
      <p class="option-description">
        <span id={id}>
          {first}
          {isExpanded && rest !== '' && ` ${rest}`}
        </span>{' '}
        {(rest !== '' || facts.length > 0) && (
          <button
            type="button"
            class="option-more"
            aria-expanded={isExpanded}
            aria-label={t(isExpanded ? 'options.less.of' : 'options.more.of', { name })}
            onClick={() => {
              setExpanded(!isExpanded);
            }}
          >
            {t(isExpanded ? 'options.less' : 'options.more')}
          </button>
        )}
      </p>
      {isExpanded && facts.map((fact) => <p key={fact}>{fact}</p>)}
    </>
  );
}

/**
 * Returns the details of an option: allowed values, default, aliases and limitations. Omits values that the control already shows.
 */
function factsOf(row: Row): string[] {
  const control = controlOf(row);
  const { kind, default: defaultValue, aliases, limitations, noEffectReason, isRepeatable = false } = row;
  const isTyped = !['switch', 'select', 'segments', 'file', 'files'].includes(control.kind);
  return [
    ...(noEffectReason === undefined ? [] : [t('options.noEffect.reason', { why: noEffectReason })]),
    ...(isRepeatable && isTyped ? [t('options.lines')] : []),
    ...(isTyped ? [t('options.allowed', { allowed: kind.allowed })] : []),
    ...(defaultValue !== undefined && isTyped ? [t('options.default', { value: defaultValue })] : []),
    ...(aliases === undefined ? [] : [t('options.aliases', { names: aliases.join(', ') })]),
    ...(limitations === undefined ? [] : [t('options.limits', { limits: limitations })]),
  ];
}
