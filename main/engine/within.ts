/** A limit for what has none of its own. Plain Node. */

/** The promise's outcome. @throws Error when it takes longer; the promise then goes on unobserved */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`took more than ${milliseconds} ms`));
    }, milliseconds);
  });
  promise.catch(() => {});
  return Promise.race([promise, late]).finally(() => {
    clearTimeout(timer);
  });
}
