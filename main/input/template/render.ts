/** Renders a template with data to HTML, in the current thread and without a time limit. */
import { TemplateEvaluation } from './evaluation.ts';
import { fillHandlebars } from './handlebars/handlebars.ts';
import { fillJinja } from './jinja/jinja.ts';
import { TemplateOutput } from './output.ts';
import { excerpt, TemplateProblem } from './problem.ts';
import { DataProblem, readData } from './data/read-data.ts';
import type { TemplateAnswer, TemplateTask, TemplateOptions } from './fill-template.ts';

/** Fills the template. Never throws: an error in the template or its data is a `problem`, any other error a `fault`. */
export function render(task: TemplateTask): TemplateAnswer {
  try {
    return fill(task);
  } catch (error) {
    const message = messageOf(error, task);
    if (message !== undefined) return { kind: 'problem', message };
    return { kind: 'fault', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function fill({ template, data, options, limits }: TemplateTask): TemplateAnswer {
  if (data.length > limits.dataBytes)
    throw new DataProblem(
      `The data has ${data.length} bytes; the limit is ${limits.dataBytes}. Send less data.`,
    );
  const read = readData(data, options);
  const engine = engineOf(template, options);
  const output = new TemplateOutput(limits.outputBytes);
  const evaluation = new TemplateEvaluation({
    locale: options.locale,
    autoEscape: options.data_auto_escape ?? engine === 'handlebars',
    ignoreUndefined: options.data_ignore_undefined,
    isXml: read.format === 'xml',
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

/** Returns the engine. With `auto`, a template with `{% tag %}` or other variable markers is Jinja, which alone supports them. */
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

/** Returns the message for an error in the template or its data, or undefined for any other error. */
function messageOf(error: unknown, { template }: TemplateTask): string | undefined {
  if (error instanceof DataProblem) return error.message;
  if (error instanceof TemplateProblem) return templateMessage(error, template);
  if (!(error instanceof RangeError)) return undefined;
  const isTooDeep = error.message.includes('call stack');
  return isTooDeep
    ? 'The template or its data is nested too deeply.'
    : 'A value of the template or of its data is too large.';
}

function templateMessage({ position, message }: TemplateProblem, template: string): string {
  if (position === undefined) return `The template cannot be filled: ${message}.`;
  const where = `line ${position.line}, column ${position.column}`;
  return `The template is not valid at ${where}: ${message}, near ${excerpt(template, position)}.`;
}
