/** Checks the response to a job, with poppler and sharp. */
import { spawn } from 'node:child_process';
import { isNear, readImage } from '../support/output/image.ts';
import type { ConversionResponse } from '../support/service/convert.ts';
import type { Expected, FailureExpected, PdfExpected, ImageExpected } from './job.ts';
import { wordsIn } from './job-markers.ts';

/** Returns a message for each problem; none if the response matches one of the expected responses. */
export async function checkResponse(
  answer: ConversionResponse,
  word: string,
  expected: readonly Expected[],
): Promise<string[]> {
  const fitting = expected.find(({ kind }) => (kind === 'failure') === (answer.status !== 200));
  const actual = answer.status === 200 ? '200' : answer.body.toString('utf8', 0, 200);
  const expectedOutcomes = expected.map((outcome) =>
    outcome.kind === 'failure' ? outcome.codes.join(' or ') : `200 (${outcome.kind})`,
  );
  if (fitting === undefined) return [`the response is ${actual}, not ${expectedOutcomes.join(' or ')}`];
  if (fitting.kind === 'failure') return checkFailure(answer, fitting);
  const problems = checkHeaders(answer);
  const about =
    fitting.kind === 'pdf' ? await checkPdf(answer, word, fitting) : await checkImage(answer, fitting);
  return [...problems, ...about];
}

function checkFailure({ headers, body }: ConversionResponse, { codes }: FailureExpected): string[] {
  const message = body.toString('utf8', 0, 300);
  const code = message.split(' ')[0] ?? '';
  if (!codes.includes(code)) return [`the response is ${message}, not ${codes.join(' or ')}`];
  const reason = headers.get('x-service-reason-code');
  return code.split('.')[1] === reason
    ? []
    : [`x-service-reason-code is ${String(reason)}, but the code is ${code}`];
}

function checkHeaders({ headers, body }: ConversionResponse): string[] {
  const size = headers.get('x-service-output-size');
  const credits = headers.get('x-service-consumed-credits');
  const price = Math.ceil(body.length / 500_000);
  return [
    ...(Number(size) === body.length
      ? []
      : [`x-service-output-size is ${String(size)}, but the output has ${body.length} bytes`]),
    ...(Number(credits) === price ? [] : [`${String(credits)} credits for ${body.length} bytes`]),
  ];
}

async function checkPdf(
  { headers, body }: ConversionResponse,
  word: string,
  expected: PdfExpected,
): Promise<string[]> {
  const { pages, totalPages = pages, texts = [], absent = [], password } = expected;
  let text: string;
  try {
    text = await textOf(body, password);
  } catch (problem) {
    return [`the PDF cannot be read: ${String(problem)}`];
  }
  const counted = text.split('\f').length - 1;
  const pageCounts = ['pages', 'total-pages'].map((name) => Number(headers.get(`x-service-${name}`)));
  const folded = text.replace(/\s+/g, ' ');
  const otherWords = wordsIn(text).filter((found) => found !== word);
  return [
    ...(counted === pages ? [] : [`the PDF has ${counted} pages, not ${pages}`]),
    ...(pageCounts[0] === pages && pageCounts[1] === totalPages
      ? []
      : [`the headers report ${pageCounts.join(' of ')} pages`]),
    ...[word, ...texts].filter((part) => !folded.includes(part)).map((part) => `"${part}" is not in the PDF`),
    ...absent.filter((part) => folded.includes(part)).map((part) => `"${part}" is in the PDF`),
    ...otherWords.map((otherWord) => `ISOLATION: the word of another job, ${otherWord}, is in the PDF`),
  ];
}

async function checkImage({ body }: ConversionResponse, expected: ImageExpected): Promise<string[]> {
  const { format, width, height, spots } = expected;
  const image = await readImage(body).catch((problem: unknown) => String(problem));
  if (typeof image === 'string') return [`the image cannot be read: ${image}`];
  const found = image.format === 'jpeg' ? 'jpg' : image.format;
  if (found !== format || image.width !== width || image.height !== height)
    return [`the image is ${found} ${image.width} x ${image.height}, not ${format} ${width} x ${height}`];
  // The colours of two jobs differ by at least 8 in a channel.
  return spots
    .filter(({ x, y, colour }) => !isNear(image.at(x, y), colour, 3))
    .map(({ x, y, colour }) => `the pixel ${x},${y} is ${image.at(x, y).join()}, not ${colour.join()}`);
}

/** Returns the text of a PDF, in which each page ends with a form feed. @throws Error with the message of pdftotext */
function textOf(pdf: Buffer, password: string | undefined): Promise<string> {
  const words = password === undefined ? [] : ['-upw', password];
  return new Promise((resolve, reject) => {
    const reader = spawn('pdftotext', [...words, '-', '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
    let text = '';
    let complaint = '';
    reader.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    reader.stderr.setEncoding('utf8').on('data', (part: string) => (complaint += part));
    reader.on('error', reject).on('close', (code) => {
      if (code === 0) resolve(text);
      else reject(new Error(complaint.trim()));
    });
    // Ignores EPIPE: pdftotext may end before it has read the whole file.
    reader.stdin.on('error', () => undefined).end(pdf);
  });
}
