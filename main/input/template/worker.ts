/** The subprocess that fills one template. Removes dangerous globals before it fills the template. */
import { handleTask } from '../../subprocess/handle-task.ts';
import { bufferOf } from '../bytes.ts';
import { htmlText } from '../html-text.ts';
import type { TemplateMessage } from './fill-template.ts';
import { render } from './render.ts';

/**
 * Removes globals and freezes prototypes, as a second line of defence: templates are interpreted, not compiled, and cannot reach
 * them anyway. Keeps globals that Node itself needs.
 */
function disarm(): void {
  for (const name of [
    'eval',
    'Function',
    'WebAssembly',
    'fetch',
    'WebSocket',
    'require',
    'module',
    'process',
    'global',
  ]) {
    Reflect.deleteProperty(globalThis, name);
  }
  for (const builtIn of [Object, Array, String, Number, Boolean, Map, Set, RegExp, Promise])
    Object.freeze(builtIn.prototype);
}

handleTask(({ json, bytes }) => {
  disarm();
  const { templateLength, fallbackCharset: fallback, options, limits } = json as TemplateMessage;
  const template = htmlText(bufferOf(bytes.subarray(0, templateLength)), { fallback });
  const answer = render({ template, data: bytes.subarray(templateLength), options, limits });
  if (answer.kind !== 'filled') return { json: answer, bytes: new Uint8Array() };
  const { html, ...answerWithoutHtml } = answer;
  return { json: answerWithoutHtml, bytes: html };
});
