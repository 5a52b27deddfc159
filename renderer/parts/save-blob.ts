/** Downloads a blob in the browser. */
export function saveBlob(blob: Blob, name: string): void {
  const objectUrl = URL.createObjectURL(blob);
  const link = document.createElement('a');
  Object.assign(link, { href: objectUrl, download: name });
  link.click();
  // The browser reads the URL after click() returns.
  setTimeout(() => {
    URL.revokeObjectURL(objectUrl);
  }, 60_000);
}
