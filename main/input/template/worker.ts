/** The worker thread's main file: one task, one answer. What could do harm is taken away before the task is looked at. */
import { parentPort, workerData } from 'node:worker_threads';
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

disarm();
const answer = render(workerData as Task);
parentPort?.postMessage(answer, answer.kind === 'filled' ? [answer.html.buffer as ArrayBuffer] : []);
