/** Saves a blob as a download in the browser. */
export function saveBlob(blob: Blob, name: string): void {
  const objectUrl = URL.createObjectURL(blob);
  const link = document.createElement('a');
  Object.assign(link, { href: objectUrl, download: name });
  link.click();
  // The browser reads the object URL only after click() has returned.
  setTimeout(() => {
    URL.revokeObjectURL(objectUrl);
  }, 60_000);
}
