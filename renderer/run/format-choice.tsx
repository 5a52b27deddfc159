/** The output format: segments for common formats, and a menu for all others. */
import { ChevronDown } from 'lucide-preact';
import { formatRows } from '../../main/job/options/output.ts';
import { imageFormats } from '../../main/job/image-formats.ts';
import { options, setOption } from '../call/call.ts';
import { Segments } from '../parts/choice.tsx';
import { Menu } from '../parts/menu.tsx';
import { t } from '../texts/text.ts';

const commonFormats: readonly string[] = ['pdf', 'png', 'jpg', 'webp'];

export function FormatChoice() {
  const value = options.value.get('output_format') ?? formatRows.output_format.default;
  const format =
    (typeof value === 'string' ? formatRows.output_format.kind.read(value) : undefined) ??
    formatRows.output_format.default;
  const shown = commonFormats.includes(format) ? commonFormats : [...commonFormats, format];
  return (
    <div class="run-format">
      <Segments
        label={t('run.format')}
        choices={shown.map((value) => ({ value, label: nameOf(value) }))}
        value={format}
        onChoose={choose}
      />
      <Menu
        label={t('run.format.more')}
        icon={ChevronDown}
        items={imageFormats
          .filter((format) => !commonFormats.includes(format))
          .map((format) => ({
            label: nameOf(format),
            onSelect: () => {
              choose(format);
            },
          }))}
      />
    </div>
  );
}

function choose(format: string): void {
  setOption('output_format', format);
}

function nameOf(format: string): string {
  return { jpg: 'JPEG', webp: 'WebP' }[format] ?? format.toUpperCase();
}
