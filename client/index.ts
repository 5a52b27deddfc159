/** The exports of the package, which has no dependencies and uses only the HTTP API of the service. */
export {
  PlatenClient,
  type ClientSettings,
  type AsynchronousRequest,
  type JobsRequest,
  type RequestControl,
} from './platen-client.ts';
export { PlatenError, type ErrorDetails as ErrorFacts } from './platen-error.ts';
export type { Conversion } from './conversion.ts';
export type { ConversionRequest } from './form.ts';
export type { FileInput, NamedFile } from './file-input.ts';
export type { ConversionOptions } from './generated/options.ts';
export type {
  ConversionFacts,
  DebugLog,
  Job,
  JobList,
  Readiness,
  SubmittedJob,
} from './generated/answers.ts';
