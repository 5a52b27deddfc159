/** Titles of the sections of the options form. */
import type { TextKey } from '../../texts/text.ts';
import type { OptionSection } from './option-sections.ts';

export const groupTitles: Readonly<Record<OptionSection['id'], TextKey>> = {
  Input: 'options.group.input',
  Data: 'options.group.data',
  Format: 'options.group.format',
  Page: 'options.group.page',
  'Header and footer': 'options.group.strips',
  Loading: 'options.group.loading',
  Rendering: 'options.group.rendering',
  'Watermark and background': 'options.group.stamps',
  'Images in the PDF': 'options.group.pdf.images',
  PDF: 'options.group.pdf',
  Viewer: 'options.group.viewer',
  'Fine tuning': 'options.group.fine',
  Image: 'options.group.image',
  Log: 'options.group.log',
  without: 'options.group.without',
};
