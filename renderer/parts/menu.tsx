/** A button that opens a list of actions (WAI-ARIA APG: menu button). */
import type { LucideIcon } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from './button.tsx';

export interface MenuItem {
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly items: readonly MenuItem[];
}

export function Menu({ label, icon, items }: MenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => (open ? focusAndWatch(root.current, setOpen) : undefined), [open]);
  const close = () => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return;
    if (event.key === 'Escape') close();
    moveFocus(root.current, event);
  };
  return (
    <div ref={root} class="menu" onKeyDown={onKeyDown}>
      <IconButton
        icon={icon}
        label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => {
          setOpen(!open);
        }}
      />
      {open && (
        <div class="menu-list" role="menu" aria-label={label}>
          {items.map((item) => (
            <Item key={item.label} item={item} close={close} />
          ))}
        </div>
      )}
    </div>
  );
}

function Item({ item, close }: { readonly item: MenuItem; readonly close: () => void }) {
  const { label, icon: Icon, disabled, onSelect } = item;
  const select = () => {
    close();
    onSelect();
  };
  return (
    <button type="button" role="menuitem" tabIndex={-1} disabled={disabled} onClick={select}>
      {Icon && <Icon size={15} aria-hidden="true" />}
      {label}
    </button>
  );
}

/** Focuses the first item, and closes the menu on a click outside. Returns a function that removes the listener. */
function focusAndWatch(root: HTMLElement | null, setOpen: (open: boolean) => void): () => void {
  itemsIn(root)[0]?.focus();
  const onPress = (event: PointerEvent) => {
    if (!root?.contains(event.target as Node)) setOpen(false);
  };
  document.addEventListener('pointerdown', onPress);
  return () => {
    document.removeEventListener('pointerdown', onPress);
  };
}

function itemsIn(root: HTMLElement | null): HTMLButtonElement[] {
  return [...(root?.querySelectorAll<HTMLButtonElement>('[role=menuitem]:not(:disabled)') ?? [])];
}

function moveFocus(root: HTMLElement | null, event: KeyboardEvent): void {
  const items = itemsIn(root);
  const current = items.indexOf(document.activeElement as HTMLButtonElement);
  const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: items.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items.at(next % items.length)?.focus();
}
