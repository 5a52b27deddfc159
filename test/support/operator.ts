/** Calls of the console, as an operator's browser makes them. */
import type { CallName, InputOf, Refusal, Results } from '../../main/console/contract.ts';
import type { Service } from './service.ts';

export interface Operator {
  /** Its answer. @throws Error with the refusal's message */
  readonly call: <N extends CallName>(name: N, input: InputOf<N>) => Promise<Results[N]>;
  readonly authorization: string;
}

/** The account made at the service's first start, whose key it has printed. */
export function operatorOf(service: Service): Operator {
  const [, user = '', key = ''] =
    /^First account, an operator: user (\S+), key (\S+)$/m.exec(service.said()) ?? [];
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
      if (!response.ok) throw new Error((answer as Refusal).message);
      return answer as Results[N];
    },
  };
}
