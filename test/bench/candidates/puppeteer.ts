/** The candidates `peer` and `peer-loop`, which use puppeteer-core and chrome-headless-shell. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { BenchDocument } from '../documents/document.ts';
import { runLap } from '../lap.ts';
import { bundleProgram } from './bundle-program.ts';
import type { Candidate, Preparation } from './candidate.ts';
import { asCandidate, openProgram, type CandidateProgram } from './ipc-program.ts';
import { peerPackages } from './peer-packages.ts';
import { openHttpClient } from './http-client.ts';
import { pagesVariable } from './puppeteer-browser.ts';

/** Starts an HTTP service that creates a new browser context for each request, as most such services do. */
export async function startPeer(preparation: Preparation): Promise<Candidate | undefined> {
  const program = await startProgram('puppeteer-service', preparation);
  return program && overHttp(program);
}

/** Starts a program that reuses its pages and calls the browser without HTTP. */
export async function startPeerLoop(preparation: Preparation): Promise<Candidate | undefined> {
  const program = await startProgram('puppeteer-loop', preparation);
  return program && asCandidate(program, { name: 'peer-loop', folder: preparation.folder, supports });
}

/** Long documents add no information about a peer. The HTTP service accepts only HTML without other files. */
const supports: Candidate['supports'] = ({ long, by, fields }) =>
  !long && by === undefined && fields === undefined;

async function startProgram(name: string, { workers }: Preparation): Promise<CandidateProgram | undefined> {
  const folder = await peerPackages();
  if (folder === undefined) return undefined;
  const file = await bundleProgram(name, join(folder, `${name}.mjs`));
  const env = { ...process.env, [pagesVariable]: String(workers) };
  return await openProgram(fork(file, { env, execArgv: [], detached: true }));
}

function overHttp(program: CandidateProgram): Candidate {
  const client = openHttpClient();
  const requestFor = ({ html, expected }: BenchDocument) => {
    const body = Buffer.from(JSON.stringify({ html, expected }));
    const headers = { 'content-type': 'application/json' };
    return { url: program.url ?? '', headers, body };
  };
  return {
    name: 'peer',
    engine: 'Chromium',
    pid: program.pid,
    supports,
    convert: (document) => client.post(requestFor(document)),
    run(document, load) {
      const posted = requestFor(document);
      return runLap(() => client.post(posted), load);
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await program[Symbol.asyncDispose]();
    },
  };
}
