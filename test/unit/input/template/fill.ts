/** Fills templates in this thread, with the code that the worker runs. */
import assert from 'node:assert/strict';
import { render } from '../../../../main/input/template/render.ts';
import {
  defaultLimits,
  type TemplateLimits,
  type TemplateOptions,
} from '../../../../main/input/template/fill-template.ts';

export const plainOptions: TemplateOptions = {
  template_engine: 'auto',
  data_format: 'auto',
  data_encoding: 'utf-8',
  data_ignore_undefined: false,
  data_trim_blocks: false,
  data_variable_markers: 'standard',
  locale: 'en-US',
};

export interface FillOptions {
  readonly data?: unknown;
  readonly options?: Partial<TemplateOptions>;
  readonly limits?: Partial<TemplateLimits>;
}

/** Returns the HTML; data other than a string is serialised as JSON. */
export function fill(template: string, { data = {}, options = {}, limits = {} }: FillOptions = {}): string {
  const answer = answerTo(template, { data, options, limits });
  assert.equal(answer.kind, 'filled', JSON.stringify(answer));
  return Buffer.from(answer.html).toString();
}

/** Returns the error message. */
export function errorMessageOf(
  template: string,
  { data = {}, options = {}, limits = {} }: FillOptions = {},
): string {
  const answer = answerTo(template, { data, options, limits });
  assert.equal(answer.kind, 'problem', JSON.stringify(answer));
  return answer.message;
}

export function notesOf(
  template: string,
  { data = {}, options = {}, limits = {} }: FillOptions = {},
): readonly string[] {
  const answer = answerTo(template, { data, options, limits });
  return answer.kind === 'filled' ? answer.notes : [];
}

function answerTo(template: string, { data, options, limits }: Required<FillOptions>) {
  const bytes =
    data instanceof Buffer ? data : Buffer.from(typeof data === 'string' ? data : JSON.stringify(data));
  return render({
    template,
    data: bytes,
    options: { ...plainOptions, ...options },
    limits: { ...defaultLimits, ...limits },
  });
}
