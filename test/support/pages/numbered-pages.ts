/** A document of several pages, and the placeholders of page numbers. */

/** Returns pages with the texts `Body 1`, `Body 2` and so on. */
export function pages(count: number): string {
  const texts = Array.from({ length: count }, (_, index) => `Body ${index + 1}`);
  return texts.map((text) => `<p style="break-after: page">${text}</p>`).join('');
}

export const number = '<span class="service-page-number"></span>';
export const count = '<span class="service-page-count"></span>';
