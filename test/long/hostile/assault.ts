/** Runs an attack of the hostile suite, and checks that it was attempted and had no effect. */
import assert from 'node:assert/strict';
import { servedPath, type Attacker } from '../../support/attacker.ts';
import { canarySong, openCanary, type Canary } from '../../support/canary.ts';
import type { Certificates } from '../../support/certificates.ts';
import { send, type Answer, type Fields } from '../../support/convert.ts';
import { pdfText } from '../../support/pdf.ts';
import type { Refusals, Wanted } from '../../support/refusals.ts';
import type { Service } from '../../support/service.ts';
import type { Aim, Attack } from './attack.ts';

export interface Field {
  readonly service: Service;
  readonly attacker: Attacker;
  readonly refusals: Refusals;
  readonly certificate: Certificates['server'];
}

interface Assault {
  readonly attack: Attack;
  readonly field: Field;
  readonly canary: Canary;
  readonly allowed: Aim;
  readonly forbidden: Aim;
}

/** Far longer than an attempt takes; a page whose attempt shows no result is released after it. */
const timeoutMs = 20_000;

/** Runs an attack against an allowed server, then against the canary: the first must be reached, the second refused. */
export async function carryOut(attack: Attack, id: string, field: Field): Promise<void> {
  await using canary = await openCanary(field.certificate);
  const aims = {
    allowed: aimAt(field.attacker.port, `${id}-allowed`, field),
    forbidden: aimAt(canary.port, `${id}-canary`, field),
  };
  const assault: Assault = { attack, field, canary, ...aims };
  const [allowed, forbidden] = [proof(assault, 'allowed'), proof(assault, 'forbidden')];
  const attempts = attempted(attack).map((each) =>
    each.map((one) => (one === 'allowed' ? allowed : forbidden)),
  );
  for (const [at, each] of attempts.entries()) {
    field.attacker.hold(`/hold/${id}-${at}`, Promise.allSettled(each.map(({ come }) => come())));
    const aimed = each.map(({ aim }) => aim);
    const answer = await send(
      field.service,
      requestOf(attack, aimed, `${field.attacker.origin}/hold/${id}-${at}`),
    );
    quiet(canary, answer);
    // The last log lines of a job may still be in the pipe.
    for (const { come, what } of each) await assert.doesNotReject(come(), `no proof of the attempt: ${what}`);
    assert.deepEqual(canary.touches, [], 'the canary was reached after all');
    if (attack.fails && each.includes(forbidden)) assert.match(answer.body.toString(), /^400\.322 - /);
  }
}

/** The targets of each conversion. */
function attempted({ apart, unanswered, fields }: Attack): (readonly ('allowed' | 'forbidden')[])[] {
  if (unanswered) return [['forbidden']];
  return (apart ?? fields) ? [['allowed'], ['forbidden']] : [['allowed', 'forbidden']];
}

interface Proof {
  readonly what: string;
  readonly aim: Aim;
  /** Resolves on arrival; rejects after the time-out. */
  readonly come: () => Promise<void>;
}

function proof({ attack, field, ...aims }: Assault, which: 'allowed' | 'forbidden'): Proof {
  const aim = aims[which];
  const arrival = (path: string) => () => field.attacker.arrival(path, AbortSignal.timeout(timeoutMs));
  if (attack.barred) return { aim, what: 'the page went on', come: arrival(new URL(aim.ran).pathname) };
  if (which === 'allowed')
    return { aim, what: 'the allowed server was reached', come: arrival(attack.arrives ?? aim.path) };
  const isExpected: Wanted = ({ host, port }) =>
    attack.refused === undefined ? port === aim.port : host === attack.refused;
  return {
    aim,
    what: 'the guard refused',
    come: () => field.refusals.first(isExpected, AbortSignal.timeout(timeoutMs)),
  };
}

function aimAt(port: number, id: string, { attacker }: Field): Aim {
  const [host, path] = [`127.0.0.1:${port}`, `/hit/${id}`];
  const serve: Aim['serve'] = (body, served) => attacker.origin + servedPath(body, served);
  return {
    ...{ id, port, host, path, serve, url: `http://${host}${path}`, ran: `${attacker.origin}/ran/${id}` },
    redirect: (status, location) => serve('', { status, headers: { location } }),
  };
}

function requestOf(attack: Attack, aims: readonly Aim[], holdUrl: string): Fields {
  const hold = `<img src="${holdUrl}" width="1" height="1">`;
  const [aim] = aims;
  if (aim === undefined) throw new Error('the attack has no target');
  if (attack.fields) return { ...attack.fields(aim, hold), ...attack.options };
  const pieces = aims.map((one) => pieceOf(attack, one)).join('\n');
  const text = `<!doctype html><title>page</title>${attack.late ? '' : hold}<p>page</p>${pieces}`;
  const { headers, from = headers ? 'server' : 'text' } = attack;
  const headerOptions = headers ? { headers: headers(aim) } : {};
  const waiting = attack.late ? { custom_javascript: `fetch('${holdUrl}').then(() => 0, () => 0)` } : {};
  return {
    ...(from === 'text' ? { text } : { url: aim.serve(text, headerOptions) }),
    ...waiting,
    ...attack.options,
  };
}

function pieceOf({ page, script }: Attack, aim: Aim): string {
  return (page?.(aim) ?? '') + (script ? `<script>{ ${script(aim)} }</script>` : '');
}

/** Asserts that nothing reached the canary, and that its content did not reach the caller. */
function quiet({ touches }: Canary, { status, body }: Answer): void {
  assert.deepEqual(touches, [], 'the canary was reached');
  if (status === 200) assert.ok(!pdfText(body).includes(canarySong));
  else assert.match(body.toString(), /^400\.3\d\d - (?!.*(127\.|ERR_|refused))/s);
}
