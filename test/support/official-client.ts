/** Runs Pdfcrowd's official client, unchanged, in a separate process: it reads its host only once, at load time. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export type ClientName = 'HtmlToPdfClient' | 'HtmlToImageClient';

/** The name of a method and its arguments. */
export type Call = readonly [method: string, ...parameters: readonly unknown[]];

export interface Plan {
  readonly client?: ClientName;
  readonly user?: string;
  readonly key?: string;
  /** The port of the service; the default of the client is 80. */
  readonly port?: number;
  /** Calls on one client object, in this order; `convertStream` takes the path of a file. */
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
  /** PDF only. */
  readonly pages?: number;
  readonly totalPages?: number;
  readonly size: number;
  readonly debugLog: string;
}

/** Returns one result for each conversion of the plan. @throws Error with the output of the program if it failed */
export async function runOfficialClient(plan: Plan): Promise<Result[]> {
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
