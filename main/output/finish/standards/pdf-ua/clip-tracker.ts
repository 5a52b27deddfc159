/** Follows the graphics state of content to find its rectangular clips (ISO 32000-1, 8.4 and 8.5.4). */
import { matrixOf, multiply, transformBox, type Box, type Matrix } from '../../../geometry.ts';
import type { Operation } from '../../../pdf-reader/pdf-syntax.ts';

export class ClipTracker {
  #matrix: Matrix;
  readonly #saved: Matrix[] = [];
  /** The rectangle that is the current path; undefined for any other path. */
  #rectangle: Box | undefined;
  #isClip = false;

  /** `matrix`: maps the space of the content to the space in which clips are returned. */
  constructor(matrix: Matrix) {
    this.#matrix = matrix;
  }

  /** Maps the current space to the space in which clips are returned. */
  get matrix(): Matrix {
    return this.#matrix;
  }

  /** The number of saved states. */
  get depth(): number {
    return this.#saved.length;
  }

  /** Returns the clip that an operation sets, if it is a rectangle. */
  visit({ operator, operands }: Operation): Box | undefined {
    switch (operator) {
      case 'q':
        this.#saved.push(this.#matrix);
        return undefined;
      case 'Q':
        this.#matrix = this.#saved.pop() ?? this.#matrix;
        return undefined;
      case 'cm':
        this.#matrix = multiply(matrixOf(operands.map(Number)), this.#matrix);
        return undefined;
      case 're': {
        const [left = 0, bottom = 0, width = 0, height = 0] = operands.map(Number);
        this.#rectangle = { left, bottom, width, height };
        return undefined;
      }
      case 'W':
      case 'W*':
        this.#isClip = true;
        return undefined;
      case 'n':
        return this.#takeClip();
      default:
        if (/^[mlcvy]$/.test(operator)) this.#rectangle = undefined;
        return undefined;
    }
  }

  #takeClip(): Box | undefined {
    const clip = this.#isClip ? this.#rectangle : undefined;
    this.#isClip = false;
    this.#rectangle = undefined;
    return clip && transformBox(this.#matrix, clip);
  }
}
