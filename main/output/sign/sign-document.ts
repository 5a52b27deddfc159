/** Prepares the signature of a document before it is finished, and writes it into the finished document. */
import { loadHeaderFooter } from '../../engine/loading/steps/write.ts';
import type { EngineWindow } from '../../engine/window/engine-window.ts';
import type { WindowRun } from '../../engine/window-run.ts';
import { pdfDateOf } from '../../job/option-kinds.ts';
import type { Options } from '../../job/options.ts';
import { isSignatureVisible } from '../../job/rules.ts';
import type { ReservedSignature, SignatureTask, VisibleSignature } from '../finish/signature/signature.ts';
import { pointsPerInch } from '../geometry.ts';

/** Returns the task for the finishing thread. Prints the appearance of a visible signature in the window of the page. */
export async function prepareSignature(
  window: EngineWindow,
  run: WindowRun,
  { signer, maxBytes }: Pick<SignatureTask, 'signer' | 'maxBytes'>,
): Promise<SignatureTask> {
  const { signature_reason: reason, signature_location: location } = run.job.options;
  const facts = {
    signer,
    // Never creation_date: a caller must not be able to date a signature of the operator's certificate.
    date: pdfDateOf(new Date()),
    ...(reason !== undefined && { reason }),
    ...(location !== undefined && { location }),
  };
  const visible = isSignatureVisible(run.job.givenOptions)
    ? await run.log.timeStage('print the signature', () => printAppearance(window, run, facts))
    : undefined;
  return { ...facts, maxBytes, ...(visible && { visible }) };
}

type SignatureFacts = Pick<SignatureTask, 'signer' | 'date' | 'reason' | 'location'>;

async function printAppearance(
  window: EngineWindow,
  run: WindowRun,
  facts: SignatureFacts,
): Promise<VisibleSignature> {
  const { options } = run.job;
  const { signature_width: width, signature_height: height } = options;
  const bytes = Buffer.from(appearanceHtml(facts, options));
  const contentType = 'text/html; charset=utf-8';
  await loadHeaderFooter(
    window,
    { kind: 'document', bytes, contentType, path: 'signature.html', scripts: false },
    run,
  );
  const pdf = await window.print({
    paper: { width, height },
    margins: { top: 0, right: 0, bottom: 0, left: 0 },
    scale: 1,
    noBackground: true,
  });
  return {
    pdf,
    page: options.signature_page,
    left: options.signature_x * pointsPerInch,
    ...(options.signature_y !== undefined && { top: options.signature_y * pointsPerInch }),
    width: width * pointsPerInch,
    height: height * pointsPerInch,
  };
}

/** The size of the text, as a share of the height and of the width of the signature. */
const textSize = { height: 0.16, width: 0.07 } as const;

/** Returns the HTML of the appearance: the signer, the date, the reason and the place, in the size that fits. */
function appearanceHtml(facts: SignatureFacts, options: Options): string {
  const { signature_width: width, signature_height: height } = options;
  const size = Math.min(height * textSize.height, width * textSize.width);
  const date = shownDate(facts.date);
  const lines = [date, facts.reason ?? '', facts.location ?? ''].filter((line) => line !== '');
  const small = lines.map((line) => `<div>${escaped(line)}</div>`).join('');
  return `<!doctype html><title>Signature</title><style>
    @page { margin: 0 }
    body { margin: 0; box-sizing: border-box; height: ${height}in; overflow: hidden; padding: ${size / 2}in; border: ${size / 20}in solid;
      font: ${size}in/1.25 sans-serif; overflow-wrap: anywhere }
    b { display: block; font-size: 1.25em }
  </style><body><b>${escaped(facts.signer)}</b>${small}`;
}

/** Returns a date of PDF as text such as `2026-11-26 09:30 UTC+01:00`. */
function shownDate(date: string): string {
  const [, year, month, day, hour, minute, sign = '', hours = '', minutes = ''] =
    /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)\d\d([+-])(\d\d)'(\d\d)'$/.exec(date) ?? [];
  const zone = `${hours}:${minutes}` === '00:00' ? '' : `${sign}${hours}:${minutes}`;
  return `${year}-${month}-${day} ${hour}:${minute} UTC${zone}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Writes the signature (DER) into the room that is reserved for it. Changes the bytes. */
export function writeSignature(bytes: Buffer, room: ReservedSignature, signature: Buffer): void {
  const digits = signature.toString('hex');
  if (digits.length > room.length)
    throw new Error(
      `The signature has ${signature.length} bytes, but the document has room for ${room.length / 2}.`,
    );
  bytes.write(digits, room.at, 'latin1');
}
