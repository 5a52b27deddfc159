/** Starts the web server of the corpus (site-program.ts). */
import { fork } from 'node:child_process';
import { join } from 'node:path';

export interface CorpusSite extends AsyncDisposable {
  readonly host: string;
  readonly urlOf: (page: string) => string;
}

export async function openSite(): Promise<CorpusSite> {
  const program = fork(join(import.meta.dirname, 'site-program.ts'), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  const exited = new Promise((resolve) => program.once('exit', resolve));
  const port = await new Promise<number>((resolve, reject) => {
    program.once('message', (message) => {
      resolve(Number(message));
    });
    program.once('exit', (code) => {
      reject(new Error(`the web server of the corpus ended with exit code ${String(code)}`));
    });
  });
  const host = `127.0.0.1:${port}`;
  return {
    host,
    urlOf: (page) => `http://${host}/pages/${page}.html`,
    async [Symbol.asyncDispose]() {
      program.disconnect();
      await exited;
    },
  };
}
