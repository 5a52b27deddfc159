/** Sends console calls over HTTP, as the browser of an operator does. */
import type { CallName, InputOf, ConsoleRefusal, CallResults } from '../../../main/console/contract.ts';
import type { Service } from '../service/service.ts';

export interface Operator {
  /** Resolves with the result. @throws Error with the message of a refusal */
  readonly call: <N extends CallName>(name: N, input: InputOf<N>) => Promise<CallResults[N]>;
  readonly authorization: string;
}

/** Uses the operator account that the first start creates, with the key that the service prints. */
export function operatorOf(service: Service): Operator {
  const [, user = '', key = ''] =
    /^First account, an operator: user (\S+), key (\S+)$/m.exec(service.stdout()) ?? [];
  const authorization = `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;
  return {
    authorization,
    async call<N extends CallName>(name: N, input: InputOf<N>) {
      const response = await fetch(`${service.url}/console/call/${name}`, {
        method: 'POST',
        body: JSON.stringify(input),
        headers: { authorization, 'content-type': 'application/json' },
      });
      const answer = (await response.json()) as unknown;
      if (!response.ok) throw new Error((answer as ConsoleRefusal).message);
      return answer as CallResults[N];
    },
  };
}
