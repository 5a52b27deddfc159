/** Types for the used part of seek-bzip, which has none. */
declare module 'seek-bzip' {
  class ByteStream {
    readByte(): number;
    writeByte(byte: number): void;
    flush(): void;
  }
  const Bunzip: {
    readonly Stream: typeof ByteStream;
    /** Decodes one stream. @throws TypeError if it is damaged. */
    decode(input: ByteStream, output: ByteStream): void;
  };
  export default Bunzip;
}
