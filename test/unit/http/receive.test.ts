import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import express from 'express';
import { receive, type Received } from '../../../main/http/receive.ts';
import { serve } from './serving.ts';

const limits = { maxUpload: 1e6, uploadTimeout: 60_000, folder: tmpdir(), share: { add() {} } };

for (const type of ['multipart/form-data; boundary=b', 'application/x-www-form-urlencoded'])
  test(
    `a body that broke off before anybody read it ends as one that is cut short: ${type}`,
    { timeout: 5000 },
    async () => {
      let told: (received: Received) => void = () => undefined;
      const received = new Promise<Received>((resolve) => (told = resolve));
      const app = express();
      app.post('/', async (request, response) => {
        await new Promise((resolve) => request.once('close', resolve));
        told(await receive(request, response, limits));
      });
      await using at = await serve(app);
      const socket = connect(at.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n--b`);
      await once(socket, 'connect');
      setImmediate(() => {
        socket.destroySoon();
      });
      assert.match((await received).problem?.message ?? '', /cut short/);
    },
  );

test(
  'a body that came whole, and whose caller hung up before anybody read it, is not waited for',
  { timeout: 5000 },
  async () => {
    let told: (received: Received) => void = () => undefined;
    const received = new Promise<Received>((resolve) => (told = resolve));
    const app = express();
    app.post('/', async (request, response) => {
      await new Promise((resolve) => request.once('close', resolve));
      assert.equal(request.complete, true);
      told(await receive(request, response, limits));
    });
    await using at = await serve(app);
    const socket = connect(at.port, '127.0.0.1');
    const form = '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nx\r\n--b--\r\n';
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
    );
    await once(socket, 'connect');
    setImmediate(() => {
      socket.destroySoon();
    });
    assert.match((await received).problem?.message ?? '', /cut short/);
  },
);
