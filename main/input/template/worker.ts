/** The subprocess that fills one template. It removes dangerous globals before it reads the task. */
import { handleTask } from '../../subprocess/handle-task.ts';
import { render } from './render.ts';
import type { TemplateTask } from './fill-template.ts';

/**
 * Removes globals as a second line of defence: templates are interpreted, not compiled, and cannot reach them anyway.
 * Globals that Node itself needs stay.
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
  for (const shape of [Object, Array, String, Number, Boolean, Map, Set, RegExp, Promise])
    Object.freeze(shape.prototype);
}

handleTask(({ json, bytes }) => {
  disarm();
  const answer = render({ ...(json as Omit<TemplateTask, 'data'>), data: bytes });
  if (answer.kind !== 'filled') return { json: answer, bytes: new Uint8Array() };
  const { html, ...facts } = answer;
  return { json: facts, bytes: html };
});
