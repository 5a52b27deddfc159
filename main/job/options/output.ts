/** The options for the response (format and file name), for logs and for images. */
import { flag, oneOf, integer } from '../../fields/kinds.ts';
import { imageFormats } from '../image-formats.ts';
import { fileName, tag, colour } from '../option-kinds.ts';
import { optionGroup } from './option-row.ts';

export const formatRows = optionGroup('Format', 'both', {
  output_format: {
    kind: oneOf(['pdf', ...imageFormats]),
    default: 'pdf',
    description: 'Format of the output: a PDF document, or an image of the whole page.',
  },
  input_format: {
    kind: oneOf(['html']),
    default: 'html',
    description: 'Format of the input. Every input is HTML, or an archive or a template of HTML.',
  },
  output_name: {
    kind: fileName,
    description:
      'File name in the Content-Disposition header of the response, including the extension. Default: document.pdf, image.png and so on.',
  },
  content_disposition: {
    kind: oneOf(['attachment', 'inline']),
    default: 'attachment',
    description: 'Whether a browser saves the output or shows it.',
  },
});

export const logRows = optionGroup('Log', 'both', {
  debug_log: {
    kind: flag,
    default: 'false',
    description:
      'Record a debug log of this conversion. The response header x-service-debug-log contains its address.',
  },
  tag: {
    kind: tag,
    description: 'Your own label for the job in the logs.',
  },
});

export const imageRows = optionGroup('Image', 'image', {
  screenshot_width: {
    kind: integer(96, 65_000, 'pixels'),
    default: '1024',
    description: 'Width of the image in pixels, before scale_factor.',
  },
  screenshot_height: {
    kind: integer(1, 65_000, 'pixels'),
    description:
      'Height of the image in pixels, before scale_factor, and of the viewport while the page loads. Default: the height of the whole page, loaded in a viewport 3/4 as high as it is wide. For a PDF, content_viewport_height sets the viewport.',
  },
  background_color: {
    kind: colour,
    description:
      'Colour under the page, as RRGGBB or RRGGBBAA; 00000000 makes it transparent if the format supports that.',
  },
  image_quality: {
    kind: integer(1, 100, 'percent'),
    default: '90',
    description: 'Quality of jpg, webp and avif images.',
    isExtension: true,
  },
});
