/** A list of names and values. */
import type { ComponentChildren } from 'preact';

/** A name and its value. Rows with an undefined or empty value are left out. */
export type FactRow = readonly [name: string, value: ComponentChildren];

export function FactList({ facts }: { readonly facts: readonly FactRow[] }) {
  const shown = facts.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
