/**
 * Collects the output of a template, up to a limit. Moves the text off the heap in blocks: V8 ends the process if a large string
 * is created on a nearly full heap.
 */
import { TemplateProblem } from './problem.ts';

const blockLength = 65_536;

export class TemplateOutput {
  readonly #limit: number;
  /** The output that continues after this captured block; undefined for the output of the template. */
  readonly #outer: TemplateOutput | undefined;
  #open = '';
  #bytes = 0;
  readonly #blocks: Buffer[] = [];

  constructor(limit: number, outer?: TemplateOutput) {
    this.#limit = limit;
    this.#outer = outer;
  }

  /**
   * Returns the output of a captured block. Its bytes and those of all outer outputs together must not exceed the limit of the
   * template's output, because they are in memory at the same time, and the limit of the heap does not apply to them.
   */
  capture(): TemplateOutput {
    return new TemplateOutput(maxTextLength, this);
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
    this.#checkLimits(end);
    const bytes = Buffer.from(this.#open.slice(0, end));
    this.#open = this.#open.slice(end);
    this.#checkLimits(bytes.length);
    this.#bytes += bytes.length;
    this.#blocks.push(bytes);
  }

  /** @throws TemplateProblem if this number of additional bytes is too large. */
  #checkLimits(added: number): void {
    if (this.#bytes + added > this.#limit) throw outputTooLarge(this.#limit);
    let total = this.#bytes + added;
    let limit = this.#limit;
    for (let outer = this.#outer; outer !== undefined; outer = outer.#outer) {
      total += outer.#bytes;
      limit = outer.#limit;
    }
    if (total > limit) throw outputTooLarge(limit);
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
