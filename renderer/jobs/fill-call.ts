/**
 * Fills the form from a run of this console session. The complete requests of these runs, with contents and files, are still in
 * memory.
 */
import { batch } from '@preact/signals';
import { optionNames, table, type OptionName, type OptionRow } from '../../main/job/options.ts';
import type { RunForm } from '../bridge/bridge.ts';
import {
  data,
  file,
  filesOf,
  html,
  inputKind,
  options,
  template,
  url,
  type OptionValue,
} from '../call/call.ts';
import { runs, type ConsoleRun } from '../run/runs.ts';

export function requestOfRun(job: string): RunForm | undefined {
  return runs.value.find((run) => jobOf(run) === job)?.form;
}

function jobOf({ state }: ConsoleRun): string | null | undefined {
  if (state.kind === 'running') return state.job;
  return state.kind === 'cancelled' ? undefined : state.outcome.job;
}

export function fillFromRun({ fields, files, picked }: RunForm): void {
  const values = new Map<string, string>(fields);
  const upload = files.find(({ name }) => name === 'file')?.file;
  const text = values.get('text');
  batch(() => {
    if (picked !== undefined) inputKind.value = 'file';
    else if (upload !== undefined) {
      inputKind.value = 'file';
      file.value = { kind: 'upload', file: upload };
    } else if (text === undefined) {
      inputKind.value = 'url';
      url.value = values.get('url') ?? '';
    } else if (values.has('data_string')) {
      inputKind.value = 'template';
      template.value = text;
      data.value = values.get('data_string') ?? '';
    } else {
      inputKind.value = 'html';
      html.value = text;
    }
    options.value = optionsIn(fields, files);
  });
}

const inputFields: ReadonlySet<string> = new Set(['url', 'file', 'text', 'data_string', 'debug_log']);

function optionsIn(fields: RunForm['fields'], files: RunForm['files']): ReadonlyMap<OptionName, OptionValue> {
  const parts: readonly (readonly [string, string | File])[] = [
    ...fields,
    ...files.map(({ name, file: value }) => [name, value] as const),
  ];
  const filled = new Map<OptionName, OptionValue>();
  for (const [name, value] of parts) {
    const option = optionNames.find((option) => option === name);
    if (option === undefined || inputFields.has(name)) continue;
    const { isRepeatable = false }: OptionRow = table[option];
    const earlier = filled.get(option);
    if (!isRepeatable) filled.set(option, value);
    else if (typeof value !== 'string') filled.set(option, [...filesOf(earlier), value]);
    else filled.set(option, typeof earlier === 'string' ? `${earlier}\n${value}` : value);
  }
  return filled;
}
