/** Forms whose content has numbered marked-content sequences (MCID), including the content of forms in them. */
import {
  PDFDict,
  PDFName,
  PDFRawStream,
  PDFRef,
  PDFStream,
  type PDFContext,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { deflateSync } from '../../../../async/thread-zlib.ts';
import { bytesOf } from '../../pdf-document.ts';
import { untagged } from '../../layers/page-forms.ts';

export class TaggedForms {
  readonly #context: PDFContext;
  readonly #isTagged = new Map<PDFRef, boolean>();
  readonly #claimed = new Set<PDFRef>();
  readonly #copies = new Map<PDFRef, PDFRef>();

  constructor(context: PDFContext) {
    this.#context = context;
  }

  includes(ref: PDFRef): boolean {
    const known = this.#isTagged.get(ref);
    if (known !== undefined) return known;
    // Ends the recursion if a form contains itself.
    this.#isTagged.set(ref, false);
    const form = this.at(ref);
    const isTagged =
      form !== undefined &&
      (hasNumbers(form) || this.#formsIn(form).some(([, inner]) => this.includes(inner)));
    this.#isTagged.set(ref, isTagged);
    return isTagged;
  }

  /** Returns the form; undefined for an image. */
  at(ref: PDFRef): PDFStream | undefined {
    const form = this.#context.lookup(ref);
    const isForm = form instanceof PDFStream && form.dict.get(PDFName.of('Subtype')) === PDFName.of('Form');
    return isForm ? form : undefined;
  }

  /**
   * Returns true at the first call for a form. A form may be painted only once as tagged content, because each of its sequences is
   * one position in the document (ISO 32000-1, 14.7.4.2).
   */
  claim(ref: PDFRef): boolean {
    if (this.#claimed.has(ref)) return false;
    this.#claimed.add(ref);
    return true;
  }

  /** Returns a copy of a form without numbers. */
  untaggedCopy(ref: PDFRef): PDFRef {
    const existing = this.#copies.get(ref);
    const form = this.at(ref);
    if (existing !== undefined || form === undefined) return existing ?? ref;
    const copied = this.#context.nextRef();
    this.#copies.set(ref, copied);
    const content = Buffer.from(untagged(Buffer.from(bytesOf(form)).toString('latin1')), 'latin1');
    const replaced = this.#formsIn(form).filter(([, inner]) => this.includes(inner));
    const { resources, xobjects } = copyOfResources(form.dict.lookup(PDFName.of('Resources')), this.#context);
    for (const [name, inner] of replaced) xobjects.set(name, this.untaggedCopy(inner));
    this.#context.assign(copied, withContent(form, { content, resources }));
    return copied;
  }

  #formsIn({ dict }: PDFStream): (readonly [PDFName, PDFRef])[] {
    const resources = dict.lookup(PDFName.of('Resources'));
    const xobjects = resources instanceof PDFDict ? resources.lookup(PDFName.of('XObject')) : undefined;
    if (!(xobjects instanceof PDFDict)) return [];
    return xobjects
      .entries()
      .flatMap(([name, ref]) =>
        ref instanceof PDFRef && this.at(ref) !== undefined ? [[name, ref] as const] : [],
      );
  }
}

function hasNumbers(form: PDFStream): boolean {
  return Buffer.from(bytesOf(form)).includes('/MCID');
}

interface FormParts {
  readonly content: Uint8Array;
  readonly resources: PDFDict;
}

/** Returns a form like `form` with other content. */
export function withContent(form: PDFStream, { content, resources }: FormParts): PDFRawStream {
  const dict = form.dict.clone();
  for (const key of ['DecodeParms', 'Length']) dict.delete(PDFName.of(key));
  dict.set(PDFName.of('Filter'), PDFName.of('FlateDecode'));
  dict.set(PDFName.of('Resources'), resources);
  return PDFRawStream.of(dict, deflateSync(content));
}

/** Returns copies of resources and of the XObjects in them, which can be changed. */
export function copyOfResources(
  resources: PDFObject | undefined,
  context: PDFContext,
): { readonly resources: PDFDict; readonly xobjects: PDFDict } {
  const copy = resources instanceof PDFDict ? resources.clone() : context.obj({});
  const xobjects = copy.lookupMaybe(PDFName.of('XObject'), PDFDict)?.clone() ?? context.obj({});
  copy.set(PDFName.of('XObject'), xobjects);
  return { resources: copy, xobjects };
}
