import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { parseResponses, sendRaw } from '../../support/servers/raw-connection.ts';
import { demo } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

const auth = `Authorization: ${demo}`;
const urlencoded = 'Content-Type: application/x-www-form-urlencoded';
const boundary = 'Content-Type: multipart/form-data; boundary=b';
const disposition = '--b\r\ncontent-disposition: form-data; name="file"; filename="';

/** Wrong requests: request line, headers, body. */
const wrong: readonly (readonly [string, readonly string[], string])[] = [
  ['GET /../../etc/passwd', [auth], ''],
  ['GET /%', [auth], ''],
  ['GET /debug-log/..%2f..%2faccounts.sqlite', [], ''],
  ['GET /debug-log/%00', [], ''],
  ['GET /debug-log/constructor.json', [], ''],
  ['GET /jobs?account=%ff', [auth], ''],
  ['GET /jobs?limit=-1', [auth], ''],
  ['GET /jobs/__proto__', [auth], ''],
  ['GET /nothing?errfmt=json&errfmt=json', [auth], ''],
  ['DELETE /convert/24.04/', [auth], ''],
  ['POST /convert/24.04/', [auth], 'x'],
  ['POST /convert/24.04/', [auth, 'Content-Type: text/html; charset="'], 'x'],
  ['POST /convert/24.04/', [auth, 'Content-Encoding: gzip', urlencoded], 'x'],
  ['POST /convert/24.04/', [auth, urlencoded], ''],
  ['POST /convert/24.04/', [auth, urlencoded], '%'],
  ['POST /convert/24.04/', [auth, urlencoded], '__proto__=x&constructor=y&text=z'],
  ['POST /convert/24.04/', [auth, urlencoded], 'url=file:%2f%2f%2fetc%2fpasswd'],
  ['POST /convert/24.04/', [auth, urlencoded], 'url=http:%2f%2f169.254.1.1%2f'],
  ['POST /convert/24.04/', [auth, urlencoded], 'text=x&page_width=%00'],
  ['POST /convert/24.04/', [auth, boundary], '--b\r\nnonsense\r\n\r\nx\r\n--b--'],
  ['POST /convert/24.04/', [auth, boundary], `${disposition}../../../x.zip"\r\n\r\nPK\x03\x04\r\n--b--`],
  ['POST /convert/24.04/', [auth, boundary], `${disposition}a\0.html"\r\n\r\n\r\n--b--`],
  ['POST /convert/24.04/', ['Authorization: Basic ////', urlencoded], 'text=x'],
  ['POST /convert/24.04/', [`Authorization: Basic ${'QUFB'.repeat(3000)}`, urlencoded], 'text=x'],
  ['POST /convert/24.04/', ['Authorization: \xff\xfe', urlencoded], 'text=x'],
];

describe('The response to a wrong request', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  test('has the usual format, without stack traces, paths or internal names', async () => {
    const logged = service.log().length;
    for (const [line, headers, body] of wrong) {
      const all = ['Host: x', 'Connection: close', `Content-Length: ${body.length}`, ...headers];
      const received = await sendRaw(service, `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`);
      const answers = parseResponses(received);
      const shown = `${line} ${body}`;
      assert.equal(answers.length, 1, shown);
      const [answer] = answers;
      assert.match(answer?.body ?? '', /^4\d\d\.\d{3} - \S/, shown);
      assert.equal(answer?.body.slice(4, 7), answer?.headers['x-service-reason-code'], shown);
      assert.doesNotMatch(received, /\bat \S+ \(|\.c?[jt]s:\d|node_modules|node:|net::|Error:/, shown);
      assert.ok(!received.includes(service.data), shown);
    }
    assert.doesNotMatch(service.log().slice(logged), /"level":50/);
  });

  test('never contains a header that the client injects', async () => {
    const smuggled = encodeURIComponent('a\r\nX-Smuggled: b\r\n\r\n<p>');
    for (const form of [
      `text=x&output_name=${smuggled}`,
      `text=x&tag=${smuggled}&debug_log=1`,
      `text=x&${smuggled}=1`,
      `text=x&output_name=%ED%A0%BD${encodeURIComponent('\u0085\u2028"; x="')}`,
    ]) {
      const length = `Content-Length: ${form.length}`;
      const all = ['Host: localhost:1', 'Connection: close', length, auth, urlencoded];
      const received = await sendRaw(
        service,
        `POST /convert/24.04/ HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${form}`,
      );
      const head = received.slice(0, received.indexOf('\r\n\r\n'));
      assert.match(head, /^HTTP\/1\.1 (200|400) /);
      assert.doesNotMatch(head, /^x-smuggled:|[^\r\n\x20-\x7e]/im);
      assert.ok(parseResponses(received)[0]?.headers['x-service-reason-code']);
    }
  });
});
