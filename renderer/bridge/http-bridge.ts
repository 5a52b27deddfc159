/** The bridge in a browser: calls the HTTP endpoints of the service. The browser adds the credentials. */
import type { CallName, InputOf, CallResults, RunEvent } from '../../main/console/contract.ts';
import { ServiceError, type Bridge, type RunForm } from './bridge.ts';

export function openHttpBridge(): Bridge {
  return {
    environment: 'browser',
    languages: navigator.languages,
    async call<N extends CallName>(name: N, input: InputOf<N>) {
      const response = await request(`/console/call/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input),
      });
      return (await response.json()) as CallResults[N];
    },
    async run(form, onEvent, signal) {
      const response = await request('/console/run', { method: 'POST', body: bodyOf(form), signal });
      for await (const line of linesOf(response)) onEvent(JSON.parse(line) as RunEvent);
    },
    async output(id) {
      const path = isJobId(id) ? `/jobs/${id}/output` : `/console/output/${encodeURIComponent(id)}`;
      return (await request(path)).blob();
    },
  };
}

/** The ids of outputs of runs are longer. */
function isJobId(id: string): boolean {
  return /^[0-9a-z]{26}$/.test(id);
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, { credentials: 'same-origin', ...init }).catch((problem: unknown) => {
    if (init.signal?.aborted === true) throw problem;
    throw new ServiceError({ status: 0, reason: 0, message: 'The service is not responding.' });
  });
  if (response.ok) return response;
  throw new ServiceError(await refusalIn(response));
}

async function refusalIn(response: Response): Promise<{ status: number; reason: number; message: string }> {
  const text = await response.text();
  const reason = Number(response.headers.get('x-service-reason-code') ?? 0);
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return { status: response.status, reason, message };
  } catch {
    // Errors that occur before a route handles the request are plain text, not JSON.
  }
  return { status: response.status, reason, message: text.replace(/^\d+\.\d+ - /, '') };
}

function bodyOf({ fields, files }: RunForm): FormData {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  for (const { name, file } of files) body.append(name, file);
  return body;
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? '')).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
    if (done) break;
  }
  if (rest !== '') yield rest;
}
