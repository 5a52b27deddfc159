/** Finds the controls of forms, and covers them with links. A program of its own, compiled by itself. */
export { coverControls } from './cover-controls.ts';
export { findControls, hostOf } from './find-controls.ts';
