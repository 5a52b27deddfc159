/**
 * Collects the output of a template, up to a limit. Moves the text off the heap in blocks: V8 ends the process if a large string
 * is created on a nearly full heap.
 */
import { TemplateProblem } from './problem.ts';

const blockLength = 65_536;

export class TemplateOutput {
  readonly #limit: number;
  #open = '';
  #bytes = 0;
  readonly #blocks: Buffer[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  write(text: string): void {
    this.#open += text;
    if (this.#open.length >= blockLength) this.#close();
  }

  /** Returns the whole output as UTF-8. */
  bytes(): Buffer {
    this.#close();
    const output = Buffer.alloc(this.#bytes);
    let end = 0;
    for (const block of this.#blocks) end += block.copy(output, end);
    return output;
  }

  text(): string {
    return this.#blocks.length === 0 ? this.#open : this.bytes().toString();
  }

  #close(): void {
    // Keeps the first half of a surrogate pair for the next block, because the halves cannot be encoded separately.
    const keptLength = /[\ud800-\udbff]$/.test(this.#open.slice(-1)) ? 1 : 0;
    const end = this.#open.length - keptLength;
    if (this.#bytes + end > this.#limit) throw outputTooLarge(this.#limit);
    const bytes = Buffer.from(this.#open.slice(0, end));
    this.#open = this.#open.slice(end);
    this.#bytes += bytes.length;
    if (this.#bytes > this.#limit) throw outputTooLarge(this.#limit);
    this.#blocks.push(bytes);
  }
}

/** Maximum length of a string that a function may create, in characters, and of a captured block, in bytes. */
export const maxTextLength = 16_000_000;
/** Maximum number of members of a list that a function may create. */
export const maxListLength = 1_000_000;

/** @throws TemplateProblem if a string of this length is too long. */
export function checkText(length: number): void {
  if (length > maxTextLength)
    throw new TemplateProblem(
      `the result would be a string of more than ${maxTextLength} characters, the limit`,
    );
}

/** @throws TemplateProblem if a list of this length is too long. */
export function checkList(length: number): void {
  if (length > maxListLength)
    throw new TemplateProblem(`the result would be a list of more than ${maxListLength} members, the limit`);
}

function outputTooLarge(limit: number): TemplateProblem {
  return new TemplateProblem(`the output is larger than ${limit} bytes, the limit`);
}
