/** Renders a template with data to HTML, in the current thread and without a time limit. */
import { Evaluation } from './evaluation.ts';
import { fillHandlebars } from './handlebars/handlebars.ts';
import { fillJinja } from './jinja/jinja.ts';
import { Output } from './output.ts';
import { excerpt, TemplateProblem } from './problem.ts';
import { DataProblem } from './data/data-problem.ts';
import { readData } from './data/read-data.ts';
import type { Answer, Task, TemplateOptions } from './fill-template.ts';

/** Never throws: an error of the author is a `problem`, any other error a `fault`. */
export function render(task: Task): Answer {
  try {
    return fill(task);
  } catch (error) {
    const sentence = sentenceOf(error, task);
    if (sentence !== undefined) return { kind: 'problem', sentence };
    return { kind: 'fault', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function fill({ template, data, options, limits }: Task): Answer {
  if (data.length > limits.dataBytes)
    throw new DataProblem(`The data has ${data.length} bytes; the limit is ${limits.dataBytes}.`);
  const read = readData(data, options);
  const engine = engineOf(template, options);
  const output = new Output(limits.outputBytes);
  const evaluation = new Evaluation({
    locale: options.locale,
    autoEscape: options.data_auto_escape ?? engine === 'handlebars',
    ignoreUndefined: options.data_ignore_undefined,
  });
  const syntax = { trimBlocks: options.data_trim_blocks, markers: options.data_variable_markers };
  if (engine === 'jinja') fillJinja(template, read.data, { evaluation, output, syntax });
  else fillHandlebars(template, read.data, { evaluation, output });
  const note = `The template was read as ${engine}, the data as ${read.format}.`;
  return {
    kind: 'filled',
    html: output.bytes(),
    notes: [note, ...ignoredOptionNotes(engine, options), ...evaluation.notes],
  };
}

/** Only Jinja has `{% tag %}` and other variable markers. */
function engineOf(template: string, options: TemplateOptions): 'handlebars' | 'jinja' {
  if (options.template_engine !== 'auto') return options.template_engine;
  if (options.data_variable_markers !== 'standard') return 'jinja';
  return /\{%[-+]?\s*[a-z]/i.test(template) ? 'jinja' : 'handlebars';
}

function ignoredOptionNotes(
  engine: 'handlebars' | 'jinja',
  { data_variable_markers }: TemplateOptions,
): readonly string[] {
  if (engine === 'jinja' || data_variable_markers === 'standard') return [];
  return ['data_variable_markers was ignored, because Handlebars templates always use {{ }}.'];
}

function sentenceOf(error: unknown, { template }: Task): string | undefined {
  if (error instanceof DataProblem) return error.message;
  if (error instanceof TemplateProblem) return templateSentence(error, template);
  if (!(error instanceof RangeError)) return undefined;
  const isTooDeep = error.message.includes('call stack');
  return isTooDeep
    ? 'The template or its data is nested too deeply.'
    : 'The template or its data makes a value that is too large.';
}

function templateSentence({ place, message }: TemplateProblem, template: string): string {
  if (place === undefined) return `The template cannot be filled: ${message}.`;
  const where = `line ${place.line}, column ${place.column}`;
  return `The template is not valid at ${where}: ${message}, near ${excerpt(template, place)}.`;
}
