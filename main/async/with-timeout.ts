/** Settles like the promise. The promise itself is not cancelled. @throws Error when it takes longer */
export async function withTimeout<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`took more than ${milliseconds} ms`));
    }, milliseconds);
  });
  promise.catch(() => {});
  return Promise.race([promise, timeout]).finally(() => {
    clearTimeout(timer);
  });
}
