/**
 * The style sheet of the markup conventions. It is inserted as a user style sheet and overrides the page's own
 * styles.
 */

/** Returns the CSS for prefixes such as `service`. */
export function conventions(prefixes: readonly string[]): string {
  return prefixes
    .map(
      (prefix) =>
        `.${prefix}-remove { display: none !important } .${prefix}-hide { visibility: hidden !important }`,
    )
    .join('\n');
}
