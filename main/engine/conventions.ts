/** What classes of the markup conventions do to a page, whose own styles they beat as a user's sheet. */

/** CSS for prefixes such as `service`. */
export function conventions(prefixes: readonly string[]): string {
  return prefixes
    .map(
      (prefix) =>
        `.${prefix}-remove { display: none !important } .${prefix}-hide { visibility: hidden !important }`,
    )
    .join('\n');
}
