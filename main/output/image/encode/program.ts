/** The main file of the encoder process, compiled to .build/picture-encoder.cjs. Its only argument is the order as JSON. */
import { encodeTo } from './encode-to.ts';
import type { EncodingOrder } from './order.ts';

const { out, ...order } = JSON.parse(process.argv[2] ?? '') as EncodingOrder & { out: string };

encodeTo(out, order).catch((problem: unknown) => {
  process.stderr.write(String(problem));
  process.exitCode = 1;
});
