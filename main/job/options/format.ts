/** The options of the answer: what comes back, under which name, and what is recorded. */
import { flag, oneOf } from '../../fields/kinds.ts';
import { fileName, tag } from '../answer-kinds.ts';
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
    kind: fileName,
    says: 'File name in the Content-Disposition of the answer, extension included. Without it the name is document.pdf, image.png and the like.',
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
    kind: tag,
    says: "A word of the caller's own that stands with the job in the logs.",
  },
});
