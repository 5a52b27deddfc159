/** The comparison of the template with its data, and the ranges to mark in both editors. */
import { computed, signal } from '@preact/signals';
import { formatOf } from '../../../main/input/template/data/format-of.ts';
import { t } from '../../texts/text.ts';
import { data, options, template } from '../call.ts';
import type { Mark, TextRange } from '../editor/editor-props.ts';
import { compareWithData } from '../template/template-names.ts';

/** The data format that is set in `data_format`, or else the format that the service would detect. */
export const shownFormat = computed(() => {
  const dataFormat = options.value.get('data_format') ?? 'auto';
  if (dataFormat !== 'auto') return dataFormat;
  return formatOf(data.value, { csvDelimiter: undefined });
});

/** Whether the data is compared as JSON. Empty data counts as JSON unless `data_format` is set. */
export const isComparedAsJson = computed(
  () => shownFormat.value === 'json' || (data.value.trim() === '' && !options.value.has('data_format')),
);

/** The values that are missing or unused; undefined if the data is not JSON. */
export const templateComparison = computed(() => {
  if (!isComparedAsJson.value) return undefined;
  return compareWithData({
    template: template.value,
    data: data.value,
    engine: oneOf(['auto', 'handlebars', 'jinja'] as const, options.value.get('template_engine')),
    markers: oneOf(['standard', 'square', 'angle'] as const, options.value.get('data_variable_markers')),
  });
});

export const templateMarks = computed<readonly Mark[]>(() =>
  (templateComparison.value?.missing ?? []).flatMap(({ name, ranges }) =>
    ranges.map((range) => ({
      ...range,
      kind: 'missing' as const,
      tooltip: t('input.mark.missing', { name }),
    })),
  ),
);

export const dataMarks = computed<readonly Mark[]>(() =>
  (templateComparison.value?.unused ?? []).map((range) => ({
    ...range,
    kind: 'unused',
    tooltip: t('input.mark.unused'),
  })),
);

/** The range of the template that the editor selects next. */
export const selectedRange = signal<TextRange | undefined>(undefined);

function oneOf<const W extends string>(words: readonly W[], value: unknown): W | undefined {
  return words.find((word) => word === value);
}
