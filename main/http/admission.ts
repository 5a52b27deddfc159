/** Whether a request for a conversion is let in, before its body is read: who would be refused when it is there is refused now. */
import type { Request, Response } from 'express';
import { refuseBeforehand } from '../conversion/admission.ts';
import type { Received } from '../conversion/received.ts';
import type { BodyShare } from './body-budget.ts';
import { accountOf } from './locals.ts';
import type { ServiceParts } from './service-parts.ts';

/** A request that was let in; disposed with its job. */
export interface Admitted extends Disposable {
  /** Reads its form, files into the folder. Never rejects. */
  readonly receive: (folder: string) => Promise<Received>;
}

/** @throws Failure unavailable */
export function admit(request: Request, response: Response, parts: ServiceParts): Admitted {
  const share = openShare(accountOf(response).name, request, parts);
  const { 'max-upload': maxUpload, 'upload-timeout': uploadTimeout } = parts.settings;
  return {
    async receive(folder) {
      const limits = { maxUpload, uploadTimeout, folder, share };
      const received = await parts.forms.receive(request, response, limits);
      share.keep(received.form.fields.reduce((bytes, { value }) => bytes + value.length, 0));
      return received;
    },
    [Symbol.dispose]() {
      share[Symbol.dispose]();
    },
  };
}

function openShare(account: string, request: Request, parts: ServiceParts): BodyShare {
  refuseBeforehand(account, parts);
  // Of a multipart form, files go to the disk.
  const isInMemory = request.is('urlencoded') !== false;
  return parts.bodies.open(account, isInMemory ? Number(request.headers['content-length'] ?? 0) : 0);
}
