import { after, before, describe, test } from 'node:test';
import { openAttacker, type Attacker } from '../../support/servers/attacker.ts';
import { makeCertificates } from '../../support/servers/certificates.ts';
import { watchRefusals } from '../../support/service/guard-refusals.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { confusions, notations, pageAddresses, reservedAddresses } from './addresses.ts';
import { runAttack, type AttackContext } from './run-attack.ts';
import { channels, stampAddresses } from './channels.ts';
import { documentRedirects, navigations, redirects } from './navigation.ts';
import { frames, links, images, styles } from './subresources.ts';
import { reports, requests, sockets, workers } from './scripts.ts';

const attacks = [
  ...images,
  ...styles,
  ...frames,
  ...links,
  ...requests,
  ...sockets,
  ...workers,
  ...reports,
  ...navigations,
  ...redirects,
  ...documentRedirects,
  ...notations,
  ...reservedAddresses,
  ...confusions,
  ...pageAddresses,
  ...channels,
  ...stampAddresses,
];

describe('A page cannot reach a server on this machine', { concurrency: 2 }, () => {
  let service: Service;
  let attacker: Attacker;
  let context: AttackContext;

  before(async () => {
    const certificate = makeCertificates().server;
    attacker = await openAttacker(certificate);
    const names = ['127.0.0.0/8', '0.0.0.0', '[::1]', '[::]', 'localhost'];
    const allow = names.map((name) => `${name}:${attacker.port}`);
    const flags = ['--network-allow', allow.join(), '--log-format', 'json', '--workers', '2'];
    service = await startService({ flags });
    context = { service, attacker, certificate, refusals: watchRefusals(service) };
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await attacker[Symbol.asyncDispose]();
  });

  for (const [at, attack] of attacks.entries())
    test(`by ${attack.by}`, () => runAttack(attack, `case-${at}`, context));
});
