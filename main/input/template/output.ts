/**
 * Collects what a template prints, within a limit. Pieces leave the heap in blocks: V8 ends the whole process, not the
 * worker, when one large string is made on a heap that is nearly full.
 */
import { TemplateProblem } from './problem.ts';

const block = 65_536;

export class Output {
  readonly #limit: number;
  #open = '';
  #bytes = 0;
  readonly #blocks: Buffer[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  write(text: string): void {
    this.#open += text;
    if (this.#open.length >= block) this.#close();
  }

  /** All of it, as UTF-8, in memory of its own: Buffer.concat may take a piece of Node's pool, which cannot change threads. */
  bytes(): Buffer {
    this.#close();
    const whole = Buffer.alloc(this.#bytes);
    let end = 0;
    for (const each of this.#blocks) end += each.copy(whole, end);
    return whole;
  }

  text(): string {
    return this.#blocks.length === 0 ? this.#open : this.bytes().toString();
  }

  #close(): void {
    // A character may be four bytes or a half of four; the next block would not put the halves together again.
    const half = /[\ud800-\udbff]$/.test(this.#open.slice(-1)) ? 1 : 0;
    const end = this.#open.length - half;
    if (this.#bytes + end > this.#limit) throw tooMuch(this.#limit);
    const bytes = Buffer.from(this.#open.slice(0, end));
    this.#open = this.#open.slice(end);
    this.#bytes += bytes.length;
    if (this.#bytes > this.#limit) throw tooMuch(this.#limit);
    this.#blocks.push(bytes);
  }
}

/** The longest text and list a function may make. Captured blocks too. */
export const longestText = 16_000_000;
export const longestList = 1_000_000;

export function checkText(length: number): void {
  if (length > longestText)
    throw new TemplateProblem(`a text of more than ${longestText} characters would be made`);
}

export function checkList(length: number): void {
  if (length > longestList)
    throw new TemplateProblem(`a list of more than ${longestList} members would be made`);
}

function tooMuch(limit: number): TemplateProblem {
  return new TemplateProblem(`the template printed more than ${limit} bytes, which is the limit`);
}
