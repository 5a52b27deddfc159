/** Reads the files that are attached to a PDF document with PDF.js, independently of the service. */

export interface Attachment {
  readonly filename: string;
  readonly description: string;
  readonly content: string;
}

/** Returns the attached files, sorted by name. */
export async function attachmentsOf(pdf: Buffer): Promise<Attachment[]> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const found = ((await document.getAttachments()) ?? {}) as Record<
    string,
    { filename: string; description: string; content: Uint8Array }
  >;
  await document.destroy();
  return Object.values(found).map(({ filename, description, content }) => ({
    filename,
    description,
    content: Buffer.from(content).toString(),
  }));
}
