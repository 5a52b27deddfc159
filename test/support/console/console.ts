/** Sends the HTTP requests that the console in a browser sends. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type {
  CallName,
  InputOf,
  ConsoleRefusal,
  CallResults,
  RunEvent,
} from '../../../main/console/contract.ts';
import { formDataFor, type Fields } from '../service/convert.ts';
import { basic } from '../service/job-record.ts';
import type { Service } from '../service/service.ts';

type ServiceUrl = Pick<Service, 'url'>;

/** Returns the result of a console call. @throws Error with the JSON of the refusal */
export async function call<N extends CallName>(
  service: ServiceUrl,
  user: string,
  [name, input]: readonly [N, InputOf<N>],
): Promise<CallResults[N]> {
  const response = await post(service, user, [name, input]);
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as CallResults[N];
}

/** Returns the refusal of a call. @throws Error if the call succeeds */
export async function expectRefusal(
  service: ServiceUrl,
  user: string,
  [name, input]: readonly [string, unknown],
): Promise<ConsoleRefusal> {
  const response = await post(service, user, [name, input]);
  const answer = (await response.json()) as ConsoleRefusal;
  if (response.status !== answer.status) throw new Error(`not refused: ${JSON.stringify(answer)}`);
  return answer;
}

function post(
  { url }: ServiceUrl,
  user: string,
  [name, input]: readonly [string, unknown],
): Promise<Response> {
  const headers = { authorization: basic(user), 'content-type': 'application/json' };
  return fetch(`${url}/console/call/${name}`, { method: 'POST', headers, body: JSON.stringify(input) });
}

/** Starts a conversion, and resolves with the response, whose body streams the events. */
export function startRun(service: ServiceUrl, user: string, fields: Fields): Promise<Response> {
  const body = formDataFor(fields);
  const headers = { authorization: basic(user) };
  return fetch(`${service.url}/console/run`, { method: 'POST', headers, body });
}

/** Yields the events of a conversion as they arrive. Leaving the loop early closes the connection. */
export async function* eventsOf({ body }: Response): AsyncGenerator<RunEvent, undefined> {
  const input = Readable.fromWeb(body as ReadableStream);
  try {
    for await (const line of createInterface({ input })) yield JSON.parse(line) as RunEvent;
  } finally {
    input.destroy();
  }
  return undefined;
}

/** Runs a conversion, and resolves with all its events. */
export async function run(service: ServiceUrl, user: string, fields: Fields): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of eventsOf(await startRun(service, user, fields))) events.push(event);
  return events;
}
