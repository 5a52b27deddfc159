/** Runs an attack of the hostile suite, and checks that the attempt was made and had no effect. */
import assert from 'node:assert/strict';
import { servedPath, type Attacker } from '../../support/servers/attacker.ts';
import { canaryText, openCanary, type Canary } from '../../support/servers/canary.ts';
import type { Certificates } from '../../support/servers/certificates.ts';
import { send, type ConversionResponse, type Fields } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import type { Refusals, RefusalMatcher } from '../../support/service/guard-refusals.ts';
import type { Service } from '../../support/service/service.ts';
import type { AttackTarget, Attack } from './attack.ts';

export interface AttackContext {
  readonly service: Service;
  readonly attacker: Attacker;
  readonly refusals: Refusals;
  readonly certificate: Certificates['server'];
}

interface AttackRun {
  readonly attack: Attack;
  readonly context: AttackContext;
  readonly canary: Canary;
  readonly allowed: AttackTarget;
  readonly forbidden: AttackTarget;
}

/** Far longer than an attempt takes. After this time, a page whose attempt has no visible result is no longer kept loading. */
const timeoutMs = 20_000;

/** Runs an attack against an allowed server, which must be reached, and the canary, whose requests must be refused. */
export async function runAttack(attack: Attack, id: string, context: AttackContext): Promise<void> {
  await using canary = await openCanary(context.certificate);
  const aims = {
    allowed: aimAt(context.attacker.port, `${id}-allowed`, context),
    forbidden: aimAt(canary.port, `${id}-canary`, context),
  };
  const attackRun: AttackRun = { attack, context, canary, ...aims };
  const allowed = proof(attackRun, 'allowed');
  const forbidden = proof(attackRun, 'forbidden');
  const attempts = conversionsOf(attack).map((each) =>
    each.map((target) => (target === 'allowed' ? allowed : forbidden)),
  );
  for (const [at, each] of attempts.entries()) {
    context.attacker.hold(`/hold/${id}-${at}`, Promise.allSettled(each.map(({ arrived }) => arrived())));
    const aimed = each.map(({ aim }) => aim);
    const answer = await send(
      context.service,
      requestOf(attack, aimed, `${context.attacker.origin}/hold/${id}-${at}`),
    );
    assertCanaryUntouched(canary, answer);
    // Waits, because the last log lines of the job may arrive after the response.
    for (const { arrived, what } of each)
      await assert.doesNotReject(arrived(), `this proof of the attempt is missing: ${what}`);
    assert.deepEqual(canary.contacts, [], 'the canary was reached after the response');
    if (attack.failsJob && each.includes(forbidden)) assert.match(answer.body.toString(), /^400\.322 - /);
  }
}

/** Returns the targets of each conversion: one conversion for both targets, or one for each. */
function conversionsOf({ ownPage, canaryOnly, fields }: Attack): (readonly ('allowed' | 'forbidden')[])[] {
  if (canaryOnly) return [['forbidden']];
  return (ownPage ?? fields) ? [['allowed'], ['forbidden']] : [['allowed', 'forbidden']];
}

interface Proof {
  readonly what: string;
  readonly aim: AttackTarget;
  /** Resolves when the attempt is proved; rejects after the timeout. */
  readonly arrived: () => Promise<void>;
}

function proof({ attack, context, ...aims }: AttackRun, which: 'allowed' | 'forbidden'): Proof {
  const aim = aims[which];
  const arrival = (path: string) => () =>
    context.attacker.waitForRequest(path, AbortSignal.timeout(timeoutMs));
  if (attack.blockedByBrowser)
    return { aim, what: 'the page continued', arrived: arrival(new URL(aim.ran).pathname) };
  if (which === 'allowed')
    return { aim, what: 'the allowed server was reached', arrived: arrival(attack.arrivalPath ?? aim.path) };
  const isExpected: RefusalMatcher = ({ host, port }) =>
    attack.refusedHost === undefined ? port === aim.port : host === attack.refusedHost;
  return {
    aim,
    what: 'the guard refused',
    arrived: () => context.refusals.waitFor(isExpected, AbortSignal.timeout(timeoutMs)),
  };
}

function aimAt(port: number, id: string, { attacker }: AttackContext): AttackTarget {
  const host = `127.0.0.1:${port}`;
  const path = `/hit/${id}`;
  const serve: AttackTarget['serve'] = (body, served) => attacker.origin + servedPath(body, served);
  return {
    id,
    port,
    host,
    path,
    serve,
    url: `http://${host}${path}`,
    ran: `${attacker.origin}/ran/${id}`,
    redirect: (status, location) => serve('', { status, headers: { location } }),
  };
}

function requestOf(attack: Attack, aims: readonly AttackTarget[], holdUrl: string): Fields {
  const hold = `<img src="${holdUrl}" width="1" height="1">`;
  const [aim] = aims;
  if (aim === undefined) throw new Error('the attack has no target');
  if (attack.fields) return { ...attack.fields(aim, hold), ...attack.options };
  const pieces = aims.map((aim) => htmlOf(attack, aim)).join('\n');
  const text = `<!doctype html><title>page</title>${attack.afterLoad ? '' : hold}<p>page</p>${pieces}`;
  const { headers, from = headers ? 'server' : 'text' } = attack;
  const headerOptions = headers ? { headers: headers(aim) } : {};
  const waiting = attack.afterLoad ? { custom_javascript: `fetch('${holdUrl}').then(() => 0, () => 0)` } : {};
  return {
    ...(from === 'text' ? { text } : { url: aim.serve(text, headerOptions) }),
    ...waiting,
    ...attack.options,
  };
}

function htmlOf({ page, script }: Attack, aim: AttackTarget): string {
  return (page?.(aim) ?? '') + (script ? `<script>{ ${script(aim)} }</script>` : '');
}

/** Asserts that the canary received nothing, and that the response contains neither its content nor details of the refusal. */
function assertCanaryUntouched({ contacts }: Canary, { status, body }: ConversionResponse): void {
  assert.deepEqual(contacts, [], 'the canary was reached');
  if (status === 200) assert.ok(!pdfText(body).includes(canaryText));
  else assert.match(body.toString(), /^400\.3\d\d - (?!.*(127\.|ERR_|refused))/s);
}
