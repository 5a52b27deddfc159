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

/**
 * The value of an option: the text that the request contains, a file, or the files of an option that may be repeated. The text of
 * such an option has one value on each line.
 */
export type OptionValue = string | File | readonly File[];

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
  const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  if (isEmpty || value === defaultValue) next.delete(name);
  else next.set(name, value);
  options.value = next;
}

/** Returns why the service would refuse a value; undefined if it is valid. */
export function problemWith(name: OptionName, value: OptionValue): string | undefined {
  const { kind }: OptionRow = table[name];
  if (typeof value !== 'string') return undefined;
  const invalid = textsOf(name, value).find((text) => text !== '' && kind.read(text) === undefined);
  return invalid === undefined ? undefined : (kind.explain?.(invalid) ?? kind.allowed);
}

/** Returns the fields of an option: one, or for an option that may be repeated one for each line. */
function textsOf(name: OptionName, value: string): readonly string[] {
  const { isRepeatable = false }: OptionRow = table[name];
  return isRepeatable ? value.replace(/(?<!\n)\n+$/, '').split('\n') : [value];
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
      ...setOptions.flatMap(([name, value]) =>
        typeof value === 'string' ? textsOf(name, value).map((text) => [name, text] as const) : [],
      ),
    ],
    files: [
      ...input.files,
      ...setOptions.flatMap(([name, value]) => filesOf(value).map((each) => ({ name, file: each }))),
    ],
    ...(input.picked && { picked: input.picked }),
  };
});

/** Returns the files of an option. */
export function filesOf(value: OptionValue | undefined): readonly File[] {
  if (value === undefined || typeof value === 'string') return [];
  return value instanceof File ? [value] : value;
}

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
