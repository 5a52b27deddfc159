/** Encrypts and linearises a finished PDF with qpdf, compiled to WebAssembly: no program to install, nothing on the disk. */
import { randomBytes } from 'node:crypto';
import createQpdf from '@neslinesli93/qpdf-wasm';
import { preparePassword } from './password.ts';

export interface Encryption {
  readonly user_password: string;
  readonly owner_password: string;
  readonly no_print: boolean;
  readonly no_modify: boolean;
  readonly no_copy: boolean;
}

export interface QpdfWish {
  readonly linearize: boolean;
  readonly encryption?: Encryption;
}

/**
 * The same bytes when nothing is wished. Encryption is AES-256 (ISO 32000-2, 7.6, revision 6), metadata included; text can
 * always be extracted for accessibility. A linearised file begins with its last cross-reference table: count pages before.
 * @throws Error with qpdf's own words when the bytes are no PDF it can read.
 */
export async function runQpdf(bytes: Uint8Array, wish: QpdfWish): Promise<Uint8Array> {
  const parameters = [
    ...(wish.linearize ? ['--linearize'] : []),
    ...(wish.encryption === undefined ? [] : encryptionParameters(wish.encryption)),
  ];
  if (parameters.length === 0) return bytes;
  return runProgram(bytes, parameters);
}

function encryptionParameters(encryption: Encryption): string[] {
  return [
    '--encrypt',
    `--user-password=${preparePassword(encryption.user_password)}`,
    `--owner-password=${ownerPassword(encryption)}`,
    '--bits=256',
    ...(encryption.no_print ? ['--print=none'] : []),
    ...(encryption.no_modify ? ['--modify=none'] : []),
    ...(encryption.no_copy ? ['--extract=n'] : []),
    '--',
  ];
}

/**
 * Whoever opens a document with its owner password may do everything, and an empty one opens it without asking. So where the
 * owner gave none but there is something to protect, it is one that nobody knows.
 */
function ownerPassword(encryption: Encryption): string {
  const { user_password, owner_password, no_print, no_modify, no_copy } = encryption;
  const protects = user_password !== '' || no_print || no_modify || no_copy;
  if (owner_password === '' && protects) return randomBytes(32).toString('hex');
  return preparePassword(owner_password);
}

/** What the package's own types leave out. */
interface Program {
  readonly FS: {
    readonly init: (
      input: () => null,
      output: (byte: number | null) => void,
      error: (byte: number | null) => void,
    ) => void;
    readonly writeFile: (path: string, bytes: Uint8Array, options?: { canOwn: boolean }) => void;
    readonly readFile: (path: string) => Uint8Array;
  };
  readonly callMain: (parameters: string[]) => number;
}

type Start = (options: {
  readonly thisProgram: string;
  readonly preRun: ((program: Program) => void)[];
}) => Promise<Program>;

/** qpdf's exit code when it wrote the file but had to mend something (qpdf manual, "Exit Status"). */
const warned = 3;

/** A program of its own for each call (10 ms): the memory of one that was used never shrinks. */
async function runProgram(bytes: Uint8Array, parameters: readonly string[]): Promise<Uint8Array> {
  const said: number[] = [];
  const hear = (byte: number | null) => said.push(byte ?? 0);
  const program = await (createQpdf as unknown as Start)({
    thisProgram: 'qpdf',
    preRun: [
      ({ FS }) => {
        FS.init(() => null, hear, hear);
      },
    ],
  });
  program.FS.writeFile('/in.pdf', bytes);
  const code = keepingExitCode(() => program.callMain(['/in.pdf', ...parameters, '/out.pdf']));
  if (code === 0 || code === warned) return program.FS.readFile('/out.pdf');
  throw new Error(`qpdf ended with ${code}: ${Buffer.from(said).toString().trim()}`);
}

/** Emscripten makes the program's exit code that of the thread it runs in. */
function keepingExitCode<Result>(work: () => Result): Result {
  const { exitCode } = process;
  try {
    return work();
  } finally {
    process.exitCode = exitCode;
  }
}
