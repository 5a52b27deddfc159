/** A part of an explanation: a section of its own, and a place in the index of them. */
import type { ComponentChildren } from 'preact';

export interface Part {
  readonly id: string;
  readonly title: string;
  /** In the index, where there is a shorter word. */
  readonly short?: string;
  /** Of what it lists. */
  readonly count?: number;
  /** Of its count, when something in it is wrong. */
  readonly tone?: 'error' | 'warning';
  readonly content: ComponentChildren;
}
