/** What has become of an archive. */
export interface Extracted {
  /** Absolute: the archive's top folder. */
  readonly root: string;
  /** Files, in the archive's order, separated by slashes, relative to `root`. */
  readonly entries: readonly string[];
}
