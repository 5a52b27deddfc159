import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresLocation, shownLocation, sslModeFor } from '../../../main/settings/postgres-location.ts';

const common = { applicationName: 'platen' };

test('an address names user, host, port and database, with the defaults of libpq', () => {
  const read = (text: string) => postgresLocation.read(text);
  assert.deepEqual(read('postgres://ann@db.example:6432/platen'), {
    ...common,
    hosts: [{ host: 'db.example', port: 6432 }],
    user: 'ann',
    database: 'platen',
  });
  assert.deepEqual(read('postgresql://db/x')?.hosts, [{ host: 'db', port: 5432 }]);
  assert.equal(read('postgres://ann@db')?.database, 'ann');
  assert.equal(read('postgres://ann:p%40ss%3A%2F@db/x')?.password, 'p@ss:/');
  assert.deepEqual(read('postgres://[2001:db8::1]:5433/x')?.hosts, [{ host: '2001:db8::1', port: 5433 }]);
});

test('an address may name several hosts, and the folder of a Unix socket', () => {
  const hosts = (text: string) => postgresLocation.read(text)?.hosts;
  assert.deepEqual(hosts('postgres://a:1,b,c:3/x'), [
    { host: 'a', port: 1 },
    { host: 'b', port: 5432 },
    { host: 'c', port: 3 },
  ]);
  assert.deepEqual(hosts('postgres:///x?host=/run/postgresql'), [{ host: '/run/postgresql', port: 5432 }]);
  assert.deepEqual(hosts('postgres://%2Frun%2Fpostgresql/x'), [{ host: '/run/postgresql', port: 5432 }]);
});

test('an address with an unknown parameter, an invalid port or another scheme is not allowed', () => {
  for (const text of [
    'mysql://db/x',
    'postgres://db:0/x',
    'postgres://db:70000/x',
    'postgres://db/x?sslmode=maybe',
    'postgres://db/x?target_session_attrs=read-only',
    'postgres://db/x?options=-c',
    'postgres://%zz/x',
    'db.example',
  ])
    assert.equal(postgresLocation.read(text), undefined, text);
});

test('the address for messages has neither user nor password', () => {
  const location = postgresLocation.read('postgres://ann:secret@a:1,[::1]:2/platen');
  assert.equal(location && shownLocation(location), 'postgres://a:1,[::1]:2/platen');
});

test('a host on the network must have a verified certificate unless the address says otherwise', () => {
  const modes = (text: string) => {
    const location = postgresLocation.read(text);
    return location?.hosts.map((host) => sslModeFor(host, location));
  };
  assert.deepEqual(modes('postgres://db.example,10.0.0.1,127.0.0.2,localhost,[::1]/x'), [
    'verify-full',
    'verify-full',
    'prefer',
    'prefer',
    'prefer',
  ]);
  assert.deepEqual(modes('postgres:///x?host=/run/postgresql'), ['disable']);
  assert.deepEqual(modes('postgres://127.0.0.1.example,localhost.example/x'), ['verify-full', 'verify-full']);
  for (const mode of ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'])
    assert.deepEqual(modes(`postgres://db.example,127.0.0.1/x?sslmode=${mode}`), [mode, mode]);
  assert.deepEqual(modes('postgres://db.example/x?sslmode=require&sslrootcert=/ca.pem'), ['verify-ca']);
});
