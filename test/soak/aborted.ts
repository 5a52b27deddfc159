/**
 * Jobs whose callers disconnect: during the upload, in the queue, while the page loads or is printed, or while they receive the
 * response.
 */
import type { HangUp } from './caller.ts';
import type { JobRequest, JobInputs } from './job.ts';
import { pick } from './random.ts';

export interface AbortedJob {
  readonly request: JobRequest;
  readonly hangUp: HangUp;
}

/** Returns the drawn job or a slower job, with the moment at which its caller disconnects. */
export function abortJob(
  making: JobInputs,
  drawnJob: JobRequest,
  isRequested: (word: string) => Promise<void>,
): AbortedJob {
  const { random, word, web } = making;
  const kinds: readonly (() => AbortedJob)[] = [
    () => ({ request: drawnJob, hangUp: { upload: random() } }),
    () => ({ request: drawnJob, hangUp: { after: Math.floor(random() * 20) } }),
    () => ({ request: drawnJob, hangUp: { after: Math.floor(random() * 150) } }),
    () => ({
      request: { fields: { text: `${word}<img src="${web}/wait/${word}">` }, expected: [] },
      hangUp: { when: isRequested(word) },
    }),
    () => ({ request: long(making), hangUp: { after: 100 + Math.floor(random() * 400) } }),
    () => ({ request: large(making), hangUp: { download: true } }),
  ];
  return pick(kinds, random)();
}

function long({ word }: JobInputs): JobRequest {
  const text = `<h1>${word}</h1>${'<p style="break-after:page">x</p>'.repeat(199)}<p>last</p>`;
  return { fields: { text }, expected: [{ kind: 'pdf', pages: 200, texts: ['last'] }] };
}

/** A job whose output is larger than the socket buffers. */
function large({ word }: JobInputs): JobRequest {
  const text = `<body style="margin:0;background:#fff"><div style="height:3000px">${word}`;
  const spots = [{ x: 1495, y: 2990, colour: [255, 255, 255] as const }];
  return {
    fields: { text, output_format: 'ppm', screenshot_width: 1500 },
    expected: [
      { kind: 'image', format: 'ppm', width: 1500, height: 3000, spots },
      // On a busy machine, the job takes seconds and may reach the job timeout.
      { kind: 'failure', codes: ['400.323'] },
    ],
  };
}
