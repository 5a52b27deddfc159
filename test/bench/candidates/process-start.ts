/** The start parameters of the programs that convert in processes of other software. */

/** The environment variable with the number of parallel conversions. */
export const workersVariable = 'PLATEN_BENCH_WORKERS';

/** The environment variable with the path of the Python that has WeasyPrint. */
export const pythonVariable = 'PLATEN_BENCH_PYTHON';
