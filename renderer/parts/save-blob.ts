/** Downloads a blob in the browser. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  Object.assign(link, { href: address, download: name });
  link.click();
  // The browser reads the URL after click() returns.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
}
