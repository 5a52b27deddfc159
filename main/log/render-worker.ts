/** The code of the thread that renders long debug logs. */
import { workerFunction } from '../async/worker-function.ts';
import { transferred } from '../async/threads.ts';
import { renderLog, type LogView, type RenderedLog } from './render-log.ts';

export interface RenderTask {
  /** The log as JSON lines. */
  readonly log: Uint8Array;
  readonly view: LogView;
}

export default workerFunction(async ({ log, view }: RenderTask): Promise<RenderedLog> => {
  const rendered = renderLog(Buffer.from(log.buffer, log.byteOffset, log.byteLength), view);
  return rendered.body === undefined ? rendered : await transferred(rendered, [rendered.body]);
});
