/** Admits or refuses a conversion request before its body is read. */
import type { Request, Response } from 'express';
import { refuseIfFullOrPaused, type ReceivedForm } from '../../conversion/admission.ts';
import type { BodyShare } from '../upload/body-budget.ts';
import { accountOf } from '../server/locals.ts';
import type { ServiceDependencies } from './service-dependencies.ts';
import type { JobFolder } from '../../job/job.ts';

/** An admitted request. Dispose it when the job has ended. */
interface UploadAdmission extends Disposable {
  /** Reads the form and stores its files in the folder. Never rejects. */
  readonly receive: (folder: JobFolder) => Promise<ReceivedForm>;
}

/** Admits a request for a conversion. @throws Failure unavailable if the service cannot accept a job now */
export function admit(
  request: Request,
  response: Response,
  dependencies: ServiceDependencies,
): UploadAdmission {
  refuseIfFullOrPaused(accountOf(response).name, dependencies);
  return admitUpload(request, response, dependencies);
}

/** Admits a request whose job runs later. @throws Failure unavailable if the bodies of other requests use all memory */
export function admitUpload(
  request: Request,
  response: Response,
  dependencies: ServiceDependencies,
): UploadAdmission {
  const share = openShare(request, dependencies);
  const { 'max-upload': maxUpload, 'upload-timeout': uploadTimeout } = dependencies.settings;
  return {
    async receive(folder) {
      const limits = { maxUpload, uploadTimeout, folder, share };
      const received = await dependencies.forms.receive(request, response, limits);
      share.keep(received.form.fields.reduce((bytes, { value }) => bytes + Buffer.byteLength(value), 0));
      return received;
    },
    [Symbol.dispose]() {
      share[Symbol.dispose]();
    },
  };
}

function openShare(request: Request, dependencies: ServiceDependencies): BodyShare {
  // The files of a multipart form are stored on disk, so only urlencoded bodies need memory.
  const isInMemory = request.is('urlencoded') !== false;
  return dependencies.bodyBudget.open(isInMemory ? Number(request.headers['content-length'] ?? 0) : 0);
}
