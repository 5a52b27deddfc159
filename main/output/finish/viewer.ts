/** Sets how a viewer opens a PDF: layout, panels, page, zoom, and hidden parts of the viewer's user interface. */
import { PDFName, type PDFArray, type PDFDocument } from '@cantoo/pdf-lib';

export interface ViewerOptions {
  readonly page_layout?: keyof typeof layouts | undefined;
  readonly page_mode?: keyof typeof modes | undefined;
  readonly initial_zoom_type?: keyof typeof fits | undefined;
  /** From 1. */
  readonly initial_page?: number | undefined;
  /** Percent. */
  readonly initial_zoom?: number | undefined;
  readonly hide_toolbar?: boolean | undefined;
  readonly hide_menubar?: boolean | undefined;
  readonly hide_window_ui?: boolean | undefined;
  readonly fit_window?: boolean | undefined;
  readonly center_window?: boolean | undefined;
  readonly display_title?: boolean | undefined;
  readonly right_to_left?: boolean | undefined;
}

/** ISO 32000-1, table 28. */
const layouts = {
  'single-page': 'SinglePage',
  'one-column': 'OneColumn',
  'two-column-left': 'TwoColumnLeft',
  'two-column-right': 'TwoColumnRight',
} as const;

const modes = { 'full-screen': 'FullScreen', thumbnails: 'UseThumbs', outlines: 'UseOutlines' } as const;

/** ISO 32000-1, table 151. With null, the viewer chooses the position. */
const fits = { 'fit-width': ['FitH', null], 'fit-height': ['FitV', null], 'fit-page': ['Fit'] } as const;

/** ISO 32000-1, table 150. */
const preferences = {
  hide_toolbar: 'HideToolbar',
  hide_menubar: 'HideMenubar',
  hide_window_ui: 'HideWindowUI',
  fit_window: 'FitWindow',
  center_window: 'CenterWindow',
  display_title: 'DisplayDocTitle',
} as const;

/** Writes the options to the document. Options that are absent or off leave the document's settings unchanged. */
export function setViewer(document: PDFDocument, options: ViewerOptions): void {
  const { page_layout, page_mode } = options;
  const { catalog } = document;
  if (page_layout !== undefined) catalog.set(PDFName.of('PageLayout'), PDFName.of(layouts[page_layout]));
  if (page_mode !== undefined) catalog.set(PDFName.of('PageMode'), PDFName.of(modes[page_mode]));
  const destination = firstDestination(document, options);
  if (destination !== undefined) catalog.set(PDFName.of('OpenAction'), destination);
  setPreferences(document, options);
}

/**
 * Returns the destination at which the document opens; undefined if no option sets one. A page number past the end opens the last
 * page. A zoom in percent takes precedence over a zoom type.
 */
function firstDestination(document: PDFDocument, options: ViewerOptions): PDFArray | undefined {
  const { initial_page, initial_zoom, initial_zoom_type } = options;
  if (initial_page === undefined && initial_zoom === undefined && initial_zoom_type === undefined)
    return undefined;
  const pages = document.getPages();
  const page = pages[Math.min(initial_page ?? 1, pages.length) - 1];
  if (page === undefined) return undefined;
  if (initial_zoom === undefined && initial_zoom_type !== undefined)
    return document.context.obj([page.ref, ...fits[initial_zoom_type]]);
  const zoom = initial_zoom === undefined ? null : initial_zoom / 100;
  return document.context.obj([page.ref, 'XYZ', null, null, zoom]);
}

function setPreferences({ catalog }: PDFDocument, options: ViewerOptions): void {
  const enabled = Object.entries(preferences).filter(
    ([option]) => options[option as keyof typeof preferences],
  );
  if (enabled.length === 0 && options.right_to_left !== true) return;
  const { dict } = catalog.getOrCreateViewerPreferences();
  for (const [, name] of enabled) dict.set(PDFName.of(name), dict.context.obj(true));
  if (options.right_to_left === true) dict.set(PDFName.of('Direction'), PDFName.of('R2L'));
}
