/** Types for the part of seek-bzip that bzip2.ts uses; the package contains no types. */
declare module 'seek-bzip' {
  class ByteStream {
    readByte(): number;
    writeByte(byte: number): void;
    flush(): void;
  }
  const Bunzip: {
    readonly Stream: typeof ByteStream;
    /** Decodes one stream. @throws TypeError if the stream is damaged. */
    decode(input: ByteStream, output: ByteStream): void;
  };
  export default Bunzip;
}
