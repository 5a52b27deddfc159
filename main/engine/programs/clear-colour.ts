/** Colours of computed styles that paint nothing. Part of several programs. */

/** An alpha of 0; `rgb(0, 0, 0)` is black. */
export function isClear(colour: string): boolean {
  return colour === 'transparent' || /^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);
}
