/** The finished document or picture. */
export interface Output {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** PDF only: pages in the output, and in the document before print_page_range. */
  readonly pages?: { readonly printed: number; readonly total: number };
}
