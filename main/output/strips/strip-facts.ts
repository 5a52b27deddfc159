/** Makes what the header or footer of one page has to say. */
import type { StripFacts } from '../../engine/programs/strip.ts';
import { numberFormats, written, type NumberFormat } from './numerals.ts';

/** What does not differ from page to page. */
export interface DocumentFacts {
  /** Pages of the output. */
  readonly pages: number;
  /** page_numbering_offset */
  readonly offset: number;
  readonly url: string;
  readonly title: string;
}

/** The facts of one page of the output, counted from 1; `formats` are those that its HTML asks for. */
export function stripFacts(
  page: number,
  { pages, offset, url, title }: DocumentFacts,
  formats: readonly NumberFormat[],
): StripFacts {
  const inAll = (number: number) =>
    Object.fromEntries(formats.map((format) => [format, written(number, format)]));
  return { ...{ page, pages, url, title }, number: inAll(page + offset), count: inAll(pages) };
}

/** The formats an HTML names; plain digits always. */
export function formatsIn(html: string): readonly NumberFormat[] {
  return numberFormats.filter((format) => format === 'arabic' || html.includes(format));
}
