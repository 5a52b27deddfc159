/** Buttons with text or with an icon only. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import type { LucideIcon } from 'lucide-preact';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'size'> {
  readonly tone?: 'primary' | 'danger' | 'quiet';
  readonly icon?: LucideIcon;
  readonly children?: ComponentChildren;
}

export function Button({ tone, icon: Icon, children, ...rest }: ButtonProps) {
  return (
    <button type="button" class="button" data-tone={tone} {...rest}>
      {Icon && <Icon size={15} aria-hidden="true" />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'label' | 'icon'> {
  readonly icon: LucideIcon;
  /** Accessible name, also shown as a tooltip. */
  readonly label: string;
}

export function IconButton({ icon: Icon, label, tone = 'quiet', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      class="button"
      data-icon
      data-tone={tone}
      aria-label={label}
      data-tip={label}
      {...rest}
    >
      <Icon size={16} aria-hidden="true" />
    </button>
  );
}
