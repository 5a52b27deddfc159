/** A choice between a few values, as segments or tabs. Arrow keys change the selection (WAI-ARIA APG: radio group, tabs). */
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
  return (
    <Choices
      {...props}
      group="radiogroup"
      item="radio"
      className="segments"
      selectedAttribute="aria-checked"
    />
  );
}

interface TabsProps<T extends string> extends ChoiceProps<T> {
  /** Prefix of the ids: `<id>-tab-<value>`, and `<id>-panel` for the panel that `TabPanel` renders. */
  readonly id: string;
}

export function Tabs<T extends string>(props: TabsProps<T>) {
  return <Choices {...props} group="tablist" item="tab" className="tabs" selectedAttribute="aria-selected" />;
}

interface TabPanelProps {
  /** The `id` prop of the `Tabs`. */
  readonly tabsId: string;
  readonly value: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function TabPanel({ tabsId, value, class: className, children }: TabPanelProps) {
  return (
    <div role="tabpanel" id={`${tabsId}-panel`} aria-labelledby={`${tabsId}-tab-${value}`} class={className}>
      {children}
    </div>
  );
}

interface ChoiceRole {
  readonly group: 'radiogroup' | 'tablist';
  readonly item: 'radio' | 'tab';
  readonly className: string;
  readonly selectedAttribute: 'aria-checked' | 'aria-selected';
  readonly id?: string;
}

function Choices<T extends string>(props: ChoiceProps<T> & ChoiceRole) {
  const { label, choices, value, onChoose, group, item, className, selectedAttribute, id } = props;
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = stepOf(event, list.current);
    const current = choices.findIndex((choice) => choice.value === value);
    const next = choices[(current + step + choices.length) % choices.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next.value);
    const buttons = list.current?.querySelectorAll('button');
    buttons?.[choices.indexOf(next)]?.focus();
  };
  return (
    <div ref={list} role={group} aria-label={label} class={className} onKeyDown={move}>
      {choices.map((choice) => (
        <button
          type="button"
          key={choice.value}
          role={item}
          aria-label={choice.name}
          tabIndex={choice.value === value ? 0 : -1}
          {...{ [selectedAttribute]: choice.value === value }}
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

/** 1 for the next choice, -1 for the previous one, 0 for other keys. Left and right follow the text direction. */
function stepOf({ key }: KeyboardEvent, element: Element | null): number {
  const forward =
    element !== null && getComputedStyle(element).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  if (key === forward || key === 'ArrowDown') return 1;
  return key.startsWith('Arrow') ? -1 : 0;
}
