/** The program that fills a template: one task, one answer. What could do harm is taken away before the task is looked at. */
import { answerErrand } from '../../apart/apart-program.ts';
import { render } from './render.ts';
import type { Task } from './template.ts';

/**
 * Templates are evaluated, never compiled, so they reach none of this; it is gone for the day when somebody finds a way.
 * The names Node's own code needs until the end stay.
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

answerErrand(({ about, bytes }) => {
  disarm();
  const answer = render({ ...(about as Omit<Task, 'data'>), data: bytes });
  if (answer.kind !== 'filled') return { about: answer, bytes: new Uint8Array() };
  const { html, ...rest } = answer;
  return { about: rest, bytes: html };
});
