/** A choice of a few values: segments or tabs. Arrow keys move (WAI-ARIA APG: radio group, tabs). */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: ComponentChildren;
  /** Accessible name, if the label is not text. */
  readonly name?: string;
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly choices: readonly Choice<T>[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
}

export function Segments<T extends string>(props: ChoiceProps<T>) {
  return <Choices {...props} group="radiogroup" item="radio" style="segments" chosen="aria-checked" />;
}

interface TabsProps<T extends string> extends ChoiceProps<T> {
  /** Prefix of the ids: `<id>-tab-<value>`, and `<id>-panel` for the panel that `TabPanel` renders. */
  readonly id: string;
}

export function Tabs<T extends string>(props: TabsProps<T>) {
  return <Choices {...props} group="tablist" item="tab" style="tabs" chosen="aria-selected" />;
}

interface TabPanelProps {
  /** Id of the tabs. */
  readonly of: string;
  readonly value: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function TabPanel({ of, value, class: style, children }: TabPanelProps) {
  return (
    <div role="tabpanel" id={`${of}-panel`} aria-labelledby={`${of}-tab-${value}`} class={style}>
      {children}
    </div>
  );
}

interface ChoiceRole {
  readonly group: 'radiogroup' | 'tablist';
  readonly item: 'radio' | 'tab';
  readonly style: string;
  readonly chosen: 'aria-checked' | 'aria-selected';
  readonly id?: string;
}

function Choices<T extends string>(props: ChoiceProps<T> & ChoiceRole) {
  const { label, choices, value, onChoose, group, item, style, chosen, id } = props;
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = stepOf(event, list.current);
    const now = choices.findIndex((choice) => choice.value === value);
    const next = choices[(now + step + choices.length) % choices.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next.value);
    const buttons = list.current?.querySelectorAll('button');
    buttons?.[choices.indexOf(next)]?.focus();
  };
  return (
    <div ref={list} role={group} aria-label={label} class={style} onKeyDown={move}>
      {choices.map((choice) => (
        <button
          type="button"
          key={choice.value}
          role={item}
          aria-label={choice.name}
          tabIndex={choice.value === value ? 0 : -1}
          {...{ [chosen]: choice.value === value }}
          {...(id !== undefined && { id: `${id}-tab-${choice.value}`, 'aria-controls': `${id}-panel` })}
          onClick={() => {
            onChoose(choice.value);
          }}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}

/** Left and right follow the text direction. */
function stepOf({ key }: KeyboardEvent, element: Element | null): number {
  const forward =
    element !== null && getComputedStyle(element).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  if (key === forward || key === 'ArrowDown') return 1;
  return key.startsWith('Arrow') ? -1 : 0;
}
