/** In the place of what is still on its way. */
import type { ComponentChildren } from 'preact';

/** Says in its words what is waited for. */
export function Waiting({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="empty" role="status">
      <div class="spinner" />
      <p>{children}</p>
    </div>
  );
}
