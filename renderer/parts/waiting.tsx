/** A loading indicator. */
import type { ComponentChildren } from 'preact';

/** `children` is text that screen readers announce. */
export function Waiting({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="empty" role="status">
      <div class="spinner" />
      <p>{children}</p>
    </div>
  );
}
