/** Detects computed colours that paint nothing. Shared by several page scripts. */

/** Returns whether the alpha is 0. `rgb(0, 0, 0)` is black. */
export function isClear(colour: string): boolean {
  return colour === 'transparent' || /^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);
}
