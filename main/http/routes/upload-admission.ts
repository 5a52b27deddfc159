/** Admits or refuses a conversion request before its body is read. */
import type { Request, Response } from 'express';
import { refuseIfFullOrPaused, type ReceivedForm } from '../../conversion/admission.ts';
import type { BodyShare } from '../upload/body-budget.ts';
import { accountOf } from '../server/locals.ts';
import type { ServiceDependencies } from './service-dependencies.ts';
import type { JobFolder } from '../../job/job.ts';

/** An admitted request. Dispose it when the job has ended. */
interface UploadAdmission extends Disposable {
  /** Reads the form, up to `maxBytes` (default: max-upload), and stores its files in the folder. Never rejects. */
  readonly receive: (folder: JobFolder, maxBytes?: number) => Promise<ReceivedForm>;
  /**
   * Counts an output until the caller has read it, or the request has ended.
   * @throws Failure tooManyRequests, unavailable if no memory is left for it
   */
  readonly holdOutput: (bytes: number) => void;
}

/** Admits a request for a conversion. @throws Failure unavailable if the service cannot accept a job now; those of admitUpload */
export function admit(
  request: Request,
  response: Response,
  dependencies: ServiceDependencies,
): UploadAdmission {
  refuseIfFullOrPaused(accountOf(response).name, dependencies);
  return admitUpload(request, response, dependencies);
}

/**
 * Admits a request whose job runs later.
 * @throws Failure unavailable if the bodies of other requests use all memory; tooManyRequests if those of the account use its share
 */
export function admitUpload(
  request: Request,
  response: Response,
  dependencies: ServiceDependencies,
): UploadAdmission {
  const share = openShare(request, response, dependencies);
  const { 'max-upload': maxUpload, 'upload-timeout': uploadTimeout } = dependencies.settings;
  return {
    async receive(folder, maxBytes = maxUpload) {
      const limits = { maxUpload: Math.min(maxUpload, maxBytes), uploadTimeout, folder, share };
      const received = await dependencies.forms.receive(request, response, limits);
      share.keep(received.form.fields.reduce((bytes, { value }) => bytes + Buffer.byteLength(value), 0));
      return received;
    },
    holdOutput: share.add,
    [Symbol.dispose]() {
      share[Symbol.dispose]();
    },
  };
}

function openShare(request: Request, response: Response, { bodyBudget }: ServiceDependencies): BodyShare {
  // The files of a multipart form are stored on disk, so only urlencoded bodies need memory.
  const isInMemory = request.is('urlencoded') !== false;
  const declaredBytes = isInMemory ? Number(request.headers['content-length'] ?? 0) : 0;
  return bodyBudget.open(accountOf(response), declaredBytes);
}
