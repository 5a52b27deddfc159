/** Detects fully transparent colours in computed styles. Shared by several page scripts. */

/** Returns whether the alpha of the colour is 0. Does not match `rgb(0, 0, 0)`, which is black. */
export function isTransparent(colour: string): boolean {
  return colour === 'transparent' || /^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);
}
