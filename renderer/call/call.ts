/** The conversion request that the user composes in the console: one input and the changed options. */
import { computed, signal } from '@preact/signals';
import { optionNames, table, type OptionName, type OptionRow } from '../../main/job/options.ts';
import type { PickedItem, RunForm } from '../bridge/bridge.ts';

export type InputKind = 'html' | 'url' | 'file' | 'template';

export const inputKinds: readonly InputKind[] = ['html', 'url', 'file', 'template'];

/** The selected input type. Each type keeps its own input while another type is selected. */
export const inputKind = signal<InputKind>('html');
export const html = signal('');
export const url = signal('');
export const template = signal('');
/** Template data: JSON, YAML, XML or CSV, as set in `data_format` or detected by the service. */
export const data = signal('');

/** A file to upload, or a file or folder on this machine that is read for each run (tray window only). */
export type FileSource =
  { readonly kind: 'upload'; readonly file: File } | { readonly kind: 'disk'; readonly picked: PickedItem };

export const file = signal<FileSource | undefined>(undefined);

/** The value of an option: the text that the request contains, or a file. */
export type OptionValue = string | File;

/** The options that the user changed; all others have their default. */
export const options = signal<ReadonlyMap<OptionName, OptionValue>>(new Map());

/** Options that are not in the options form: the inputs, which have their own tab, and `debug_log`, which the service sets. */
const excludedOptions: ReadonlySet<string> = new Set<OptionName>([
  'url',
  'file',
  'text',
  'data_string',
  'data_file',
  'debug_log',
]);

/** The options of the form, in the order of the table. */
export const formOptions: readonly OptionName[] = optionNames.filter((name) => !excludedOptions.has(name));

/** Sets an option. An empty or default value unsets it. */
export function setOption(name: OptionName, value: OptionValue | undefined): void {
  const next = new Map(options.value);
  const { default: defaultValue }: OptionRow = table[name];
  if (value === undefined || value === '' || value === defaultValue) next.delete(name);
  else next.set(name, value);
  options.value = next;
}

/** Returns why the service would refuse a value; undefined if it is valid. */
export function problemWith(name: OptionName, value: OptionValue): string | undefined {
  const { kind }: OptionRow = table[name];
  if (typeof value !== 'string' || value === '' || kind.read(value) !== undefined) return undefined;
  return kind.explain?.(value) ?? kind.allowed;
}

/** The options whose values the service would refuse. */
export const invalidOptions = computed(() =>
  [...options.value].filter(([name, value]) => problemWith(name, value) !== undefined).map(([name]) => name),
);

export const hasInput = computed(() => {
  switch (inputKind.value) {
    case 'html':
      return html.value.trim() !== '';
    case 'url':
      return url.value.trim() !== '';
    case 'file':
      return file.value !== undefined;
    case 'template':
      return template.value.trim() !== '';
  }
});

/** The form to send. The service itself adds `debug_log` to runs of the console. */
export const form = computed<RunForm>(() => {
  const setOptions = [...options.value];
  const input = inputForm();
  return {
    fields: [
      ...input.fields,
      ...setOptions.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
    ],
    files: [
      ...input.files,
      ...setOptions.flatMap(([name, value]) => (typeof value === 'string' ? [] : [{ name, file: value }])),
    ],
    ...(input.picked && { picked: input.picked }),
  };
});

function inputForm(): RunForm {
  switch (inputKind.value) {
    case 'html':
      return { fields: [['text', html.value]], files: [] };
    case 'url':
      return { fields: [['url', url.value.trim()]], files: [] };
    case 'template':
      return { fields: [['text', template.value], ...dataFields()], files: [] };
    case 'file':
      return fileForm(file.value);
  }
}

function dataFields(): (readonly [string, string])[] {
  return data.value.trim() === '' ? [] : [['data_string', data.value]];
}

function fileForm(input: FileSource | undefined): RunForm {
  if (input === undefined) return { fields: [], files: [] };
  if (input.kind === 'upload') return { fields: [], files: [{ name: 'file', file: input.file }] };
  return { fields: [], files: [], picked: { name: 'file', id: input.picked.id } };
}
