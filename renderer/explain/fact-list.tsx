/** Names and values beside one another. */
import type { ComponentChildren } from 'preact';

/** A value that is undefined or empty is not shown. */
export type Fact = readonly [name: string, value: ComponentChildren];

export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
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
