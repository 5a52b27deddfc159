/** The options of the answer: what comes back, under which name, and what is recorded. */
import { flag, oneOf, text } from '../../fields/kinds.ts';
import { imageFormats } from '../image-formats.ts';
import { inGroup } from './option-row.ts';

export const formatRows = inGroup('Format', 'both', {
  output_format: {
    kind: oneOf(['pdf', ...imageFormats]),
    default: 'pdf',
    says: 'What comes back: a PDF document, or a picture of the whole page.',
  },
  input_format: {
    kind: oneOf(['html']),
    default: 'html',
    says: 'What is sent. Every input is HTML, or an archive or a template of it.',
  },
  output_name: {
    kind: text('a file name'),
    says: 'File name in the Content-Disposition of the answer; cut to 180 characters. Without it the name is document.pdf or image.png and the like.',
  },
  content_disposition: {
    kind: oneOf(['attachment', 'inline']),
    default: 'attachment',
    says: 'Whether a browser saves the answer or shows it.',
  },
});

export const logRows = inGroup('Log', 'both', {
  debug_log: {
    kind: flag,
    default: 'false',
    says: 'Record a debug log of this conversion; the answer names its address in x-service-debug-log.',
  },
  tag: {
    kind: text('a text'),
    says: "A word of the caller's own that stands with the job in the logs; cut to 32 characters.",
  },
});
