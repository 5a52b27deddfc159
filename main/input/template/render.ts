/** Template and data to HTML, in one thread and without limits on time: what the worker does, and what tests call directly. */
import { Evaluation } from './evaluation.ts';
import { fillHandlebars } from './handlebars/handlebars.ts';
import { fillJinja } from './jinja/jinja.ts';
import { Output } from './output.ts';
import { excerpt, TemplateProblem } from './problem.ts';
import { DataProblem } from './data/data-problem.ts';
import { readData } from './data/read-data.ts';
import type { Answer, Task, TemplateOptions } from './template.ts';

/** Never throws for what the author did: that is a `problem`. */
export function render(task: Task): Answer {
  try {
    return filled(task);
  } catch (error) {
    const sentence = sentenceOf(error, task);
    if (sentence !== undefined) return { kind: 'problem', sentence };
    return { kind: 'fault', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function filled({ template, data, options, limits }: Task): Answer {
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
  const filling = { evaluation, output, trimBlocks: options.data_trim_blocks };
  if (engine === 'jinja') fillJinja(template, read.data, filling);
  else fillHandlebars(template, read.data, filling);
  const note = `The template was read as ${engine}, the data as ${read.format}.`;
  return { kind: 'filled', html: output.bytes(), notes: [note, ...evaluation.notes] };
}

/** `{% tag %}` is nothing in Handlebars. */
function engineOf(template: string, { template_engine }: TemplateOptions): 'handlebars' | 'jinja' {
  if (template_engine !== 'auto') return template_engine;
  return /\{%[-+]?\s*[a-z]/i.test(template) ? 'jinja' : 'handlebars';
}

function sentenceOf(error: unknown, { template }: Task): string | undefined {
  if (error instanceof DataProblem) return error.message;
  if (error instanceof TemplateProblem) return templateSentence(error, template);
  if (!(error instanceof RangeError)) return undefined;
  const nested = error.message.includes('call stack');
  return nested
    ? 'The template or its data is nested too deeply.'
    : 'The template or its data makes a value that is too large.';
}

function templateSentence({ place, message }: TemplateProblem, template: string): string {
  if (place === undefined) return `The template cannot be filled: ${message}.`;
  const where = `line ${place.line}, column ${place.column}`;
  return `The template is not valid at ${where}: ${message}, near ${excerpt(template, place)}.`;
}
