/** Gives the browser a file to save. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  Object.assign(link, { href: address, download: name });
  link.click();
  // The browser reads it after the click returns.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
}
