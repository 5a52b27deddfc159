/** The oracles of all pages of the corpus. */
import type { Oracle } from '../oracle.ts';
import { applications } from './applications.ts';
import { charts } from './charts.ts';
import { documents } from './documents.ts';
import { endless } from './endless.ts';
import { movement } from './movement.ts';
import { scrolling } from './scrolling.ts';

export const oracles: readonly Oracle[] = [
  ...charts,
  ...documents,
  ...applications,
  ...movement,
  ...endless,
  ...scrolling,
];
