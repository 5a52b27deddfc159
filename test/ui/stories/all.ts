/** All stories that run both in a browser and in the console window. */
import { accessibleStories } from './accessible.ts';
import { appearanceStories } from './appearance.ts';
import { failureStories } from './failures.ts';
import { inputStories } from './inputs.ts';
import { keyboardStories } from './keyboard.ts';
import { liveStories } from './live.ts';
import { operatorStories } from './operator.ts';
import { optionStories } from './options.ts';
import { resultStories } from './results.ts';
import type { Story } from './story.ts';

export const allStories: readonly Story[] = [
  ...inputStories,
  ...liveStories,
  ...optionStories,
  ...failureStories,
  ...resultStories,
  ...appearanceStories,
  ...keyboardStories,
  ...accessibleStories,
  ...operatorStories,
];
