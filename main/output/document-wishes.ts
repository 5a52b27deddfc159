/** What the options wish for the document as a whole: facts about it, its viewer, its images, its protection. */
import type { Options } from '../job/options.ts';
import type { FinishOrder } from './finish/order.ts';
import type { PageFacts } from './page-facts.ts';

/** Each part only when something in it was asked for. */
export function documentWishes(options: Options, facts: PageFacts): Partial<FinishOrder> {
  const { info, viewer, images, protection } = {
    info: infoWished(options, facts),
    viewer: viewerWished(options),
    images: imagesWished(options),
    protection: protectionWished(options),
  };
  return {
    ...(info && { info }),
    ...(viewer && { viewer }),
    ...(images && { images }),
    ...(protection && { protection }),
  };
}

function infoWished(options: Options, { metas }: PageFacts): FinishOrder['info'] {
  const { title, extract_meta_tags } = options;
  const meta = (name: string) => (extract_meta_tags ? metas[name] : undefined);
  const author = options.author ?? meta('author');
  const keywords = options.keywords ?? meta('keywords');
  const subject = options.subject ?? meta('description');
  const info = {
    ...(title !== undefined && { title }),
    ...(author !== undefined && { author }),
    ...(keywords !== undefined && { keywords }),
    ...(subject !== undefined && { subject }),
  };
  return Object.keys(info).length === 0 ? undefined : info;
}

function viewerWished(options: Options): FinishOrder['viewer'] {
  const { page_layout, page_mode, initial_zoom_type, initial_page, initial_zoom } = options;
  const { hide_toolbar, hide_menubar, hide_window_ui, fit_window, center_window } = options;
  const { display_title, right_to_left } = options;
  const opening = { page_layout, page_mode, initial_zoom_type, initial_page, initial_zoom };
  const hiding = { hide_toolbar, hide_menubar, hide_window_ui, fit_window, center_window };
  const viewer = { ...opening, ...hiding, display_title, right_to_left };
  const asked = Object.values(viewer).some((value) => value !== undefined && value !== false);
  return asked ? viewer : undefined;
}

function imagesWished(options: Options): FinishOrder['images'] {
  const { jpeg_quality, convert_images_to_jpeg, image_dpi } = options;
  if (jpeg_quality === 100 && convert_images_to_jpeg === 'none' && image_dpi === 0) return undefined;
  const background = (options.page_background_color ?? 'ffffff').slice(0, 6);
  return { jpeg_quality, convert_images_to_jpeg, image_dpi, background };
}

/** Whoever sets a password or a restriction wants it to hold, with or without `encrypt`. */
function protectionWished(options: Options): FinishOrder['protection'] {
  const { linearize, no_print, no_modify, no_copy, user_password = '', owner_password = '' } = options;
  const encrypted = [options.encrypt, no_print, no_modify, no_copy, user_password, owner_password].some(
    Boolean,
  );
  if (!encrypted) return linearize ? { linearize } : undefined;
  return { linearize, encryption: { user_password, owner_password, no_print, no_modify, no_copy } };
}
