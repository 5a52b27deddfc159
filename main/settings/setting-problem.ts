/** A setting that stops the start: one line for the terminal, exit code 2. */
export class SettingProblem extends Error {}
