/** The options of pictures. */
import { integer } from '../../fields/kinds.ts';
import { colour } from '../option-kinds.ts';
import { inGroup } from './option-row.ts';

export const imageRows = inGroup('Image', 'image', {
  screenshot_width: {
    kind: integer(96, 65_000, 'pixels'),
    default: '1024',
    says: 'Width of the picture in pixels, before scale_factor.',
  },
  screenshot_height: {
    kind: integer(1, 65_000, 'pixels'),
    says: 'Height of the picture in pixels, before scale_factor. Without it the whole page is shown.',
  },
  background_color: {
    kind: colour,
    says: 'Colour under the page, as RRGGBB or RRGGBBAA; 00000000 makes it transparent where the format can be.',
  },
  image_quality: {
    kind: integer(1, 100, 'percent'),
    default: '90',
    says: 'Quality of jpg, webp and avif pictures.',
    own: true,
  },
});
