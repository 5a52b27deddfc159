/** Detects borders that Chromium draws at the end of a table cell only, not where a page splits the cell (css-break-3, 5.4). */
import { isTransparent } from './transparent-colour.ts';

/** Returns whether a cell with this style has a bottom border, but no line at the end of a page. */
export function hasOpenBorder(style: CSSStyleDeclaration): boolean {
  if (parseFloat(style.borderBottomWidth) === 0 || isTransparent(style.borderBottomColor)) return false;
  // Chromium ignores the property for collapsed borders, which belong to the table.
  return style.borderCollapse === 'collapse' || style.getPropertyValue('box-decoration-break') !== 'clone';
}
