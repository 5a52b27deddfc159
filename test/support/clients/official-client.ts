/** Runs Pdfcrowd's official client, unchanged. In a separate process, because it reads PDFCROWD_HOST only when it is loaded. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export type ClientName = 'HtmlToPdfClient' | 'HtmlToImageClient';

/** The name of a method and its arguments. */
export type Call = readonly [method: string, ...parameters: readonly unknown[]];

export interface ClientPlan {
  readonly client?: ClientName;
  readonly user?: string;
  readonly key?: string;
  /** The port of the service; default: 80, the client's default. */
  readonly port?: number;
  /** Calls of a single client object, in this order. The argument of `convertStream` is the path of a file. */
  readonly calls: readonly Call[];
}

/** The result of one conversion. */
export interface Result {
  /** Empty if the client reported an error. */
  readonly output: Buffer;
  readonly error?: {
    readonly status: number | string;
    readonly reason: number | string;
    readonly message: string;
    readonly link: string;
  };
  readonly job: string;
  readonly consumed: number;
  readonly remaining: number;
  /** Undefined for an image. */
  readonly pages?: number;
  readonly totalPages?: number;
  readonly size: number;
  readonly debugLog: string;
}

/** Returns one result for each conversion of the plan. @throws Error with the standard error of the program if it fails */
export async function runOfficialClient(plan: ClientPlan): Promise<Result[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'official-client-program.mjs')], {
    env: { ...process.env, PDFCROWD_HOST: '127.0.0.1' },
  });
  const code = new Promise((resolve) => child.once('close', resolve));
  child.stdin.end(JSON.stringify({ client: 'HtmlToPdfClient', user: 'demo', key: 'demo', ...plan }));
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await code) !== 0) throw new Error(complaint);
  const results = JSON.parse(output) as (Omit<Result, 'output'> & { output?: string })[];
  return results.map((result) => ({ ...result, output: Buffer.from(result.output ?? '', 'base64') }));
}
