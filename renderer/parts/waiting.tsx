/** A loading indicator. */
import type { ComponentChildren } from 'preact';

/** Announces what is being loaded. */
export function Waiting({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="empty" role="status">
      <div class="spinner" />
      <p>{children}</p>
    </div>
  );
}
