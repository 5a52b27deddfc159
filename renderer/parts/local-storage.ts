/** Stores choices of the user in the browser. */

/** If storage is full or forbidden, the value lasts only until the page is closed. */
export function storeLocally(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The caller keeps the value in memory.
  }
}
