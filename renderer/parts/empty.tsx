/** An empty state: what is missing, and what to do. */
import type { LucideIcon } from 'lucide-preact';
import type { ComponentChildren } from 'preact';

interface EmptyProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

export function Empty({ icon: Icon, title, children, actions }: EmptyProps) {
  return (
    <div class="empty">
      <Icon size={30} strokeWidth={1.5} aria-hidden="true" />
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div class="empty-actions">{actions}</div>}
    </div>
  );
}
