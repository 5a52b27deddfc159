import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import express from 'express';
import fc from 'fast-check';
import { Failure } from '../../../../main/failure/failure.ts';
import type { ReceivedForm } from '../../../../main/conversion/admission.ts';
import { optionNames } from '../../../../main/job/options.ts';
import { receive } from '../../../../main/http/upload/receive.ts';
import { mutate, mutations } from '../../../support/archives/mutations.ts';
import { chunksOf, cutPositions, multipart, urlencoded, type Body } from './form-bodies.ts';
import { serve } from '../serving.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-forms-'));
const limits = {
  maxUpload: 1e6,
  uploadTimeout: 60_000,
  folder: { path: () => folder },
  share: { add() {}, release() {} },
};

/** Name, file name and contents of each part, sorted by name. */
type PartTexts = readonly (readonly [string, string, string])[];

function receivedParts({ form }: ReceivedForm): PartTexts {
  const fields = form.fields.map(({ name, value }) => [name, '', value] as const);
  const files = form.files.map(
    ({ name, upload }) => [name, upload.name, readFileSync(upload.path, 'utf8')] as const,
  );
  return sorted([...fields, ...files]);
}

/** Returns the parts that are read: of a field whose option may be sent once, two values are enough for the error. */
function sentParts({ parts }: Body): PartTexts {
  const seen = new Map<string, number>();
  const isRead = ({ name, filename }: Body['parts'][number]) => {
    const count = (seen.get(name) ?? 0) + 1;
    if (filename === undefined) seen.set(name, count);
    return filename !== undefined || count <= 2 || !optionNames.some((option) => option === name);
  };
  return sorted(
    parts
      .filter(isRead)
      .map(({ name, filename = '', contents }) => [name, filename, contents.toString()] as const),
  );
}

function sorted(parts: PartTexts): PartTexts {
  return [...parts].sort((left, right) => (left.join('\n') < right.join('\n') ? -1 : 1));
}

let at: Awaited<ReturnType<typeof serve>>;
/** Returns the response body for the next request, which is sent as JSON. */
let handle: (received: ReceivedForm) => unknown;
before(async () => {
  const app = express();
  app.post('/', async (request, response) => {
    response.json(handle(await receive(request, response, limits)));
  });
  at = await serve(app);
});
after(async () => {
  await at[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Sends the chunks one after another, and returns the parsed response body. */
async function resultOf(type: string, chunks: readonly Buffer[], chunked: boolean): Promise<unknown> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const headers = { 'content-type': type, ...(!chunked && { 'content-length': length }) };
  const request = http.request({ port: at.port, host: '127.0.0.1', method: 'POST', headers, agent: false });
  const answer = new Promise<string>((resolve, reject) => {
    request.on('error', reject).on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('error', reject).on('end', () => {
        resolve(body);
      });
    });
  });
  request.setNoDelay(true);
  for (const chunk of chunks) await new Promise((resolve) => request.write(chunk, resolve));
  request.end();
  return JSON.parse(await answer);
}

const bodies = { 'multipart/form-data': multipart, 'application/x-www-form-urlencoded': urlencoded };

for (const [type, body] of Object.entries(bodies))
  describe(`a body of ${type}`, () => {
    test('is read as it was sent, whatever its encoding and chunks', async () => {
      handle = (received) => received.problem?.message ?? receivedParts(received);
      await fc.assert(
        fc.asyncProperty(body, cutPositions, fc.boolean(), async (sent, places, chunked) => {
          assert.deepEqual(await resultOf(sent.type, chunksOf(sent.bytes, places), chunked), sentParts(sent));
        }),
        { numRuns: 200 },
      );
    });

    test('that is damaged is read, or refused with 400 or 413', async () => {
      handle = ({ problem }) =>
        problem === undefined || (problem instanceof Failure ? problem.status : String(problem));
      await fc.assert(
        fc.asyncProperty(body, mutations, cutPositions, fc.boolean(), async (sent, all, places, chunked) => {
          const result = await resultOf(sent.type, chunksOf(mutate(sent.bytes, all), places), chunked);
          assert.ok(result === true || result === 400 || result === 413, String(result));
        }),
        { numRuns: 200 },
      );
    });

    test('with any content type is read, or refused with 400 or 413', async () => {
      handle = ({ problem }) =>
        problem === undefined || (problem instanceof Failure ? problem.status : String(problem));
      const types = fc.tuple(body, mutations, fc.boolean()).map(([{ type: sound, bytes }, all, damage]) => ({
        type: (damage ? mutate(Buffer.from(sound), all).toString('latin1') : sound).replace(
          /[^\t\x20-\x7e\x80-\xff]/g,
          ';',
        ),
        bytes,
      }));
      await fc.assert(
        fc.asyncProperty(types, async ({ type: broken, bytes }) => {
          const result = await resultOf(broken, [bytes], false);
          assert.ok(result === true || result === 400 || result === 413, String(result));
        }),
        { numRuns: 200 },
      );
    });
  });
